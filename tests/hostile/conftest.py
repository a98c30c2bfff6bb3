"""Cards to install a table on, as for the tests of the installer."""

from tests.device.conftest import made, table

__all__ = ["made", "table"]
