"""Drop root privileges before a command touches files and folders of another user.

Anybody who can change a folder can create links there, or swap a name between two accesses, and so make root read,
change or give away any file. So a command first does what only root may do. Then it becomes the owner of the files,
irrevocably, before it touches them.
"""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path


def drop_privileges(*paths: Path) -> None:
    """Become the owner of these paths if root runs this and they are not all root's. They may not exist yet.

    Raises OSError, and PermissionError if they belong to several users or if anyone could redirect one of them.
    """
    if os.geteuid() != 0:
        return
    owners = {found.st_uid: found for path in paths if (found := foreign_owner(path)) is not None}
    if len(owners) > 1:
        raise PermissionError("as root, name files and folders of one user at a time.")
    for owner in owners.values():
        _become_user(owner)


def foreign_owner(path: Path) -> os.stat_result | None:
    """Status of the file or folder whose owner's rights root needs for `path`. None if that is root.

    It is the file at the path, or else the nearest existing folder. If that is root's, it is the first folder or link
    on the way there that is not. Raises as `drop_privileges` does.
    """
    there = Path(os.path.realpath(path))
    while True:
        try:
            found = there.stat()
            break
        except (FileNotFoundError, NotADirectoryError):
            there = there.parent
    return _foreign_owner_on_path(Path(os.path.abspath(path))) if _is_owned_by_root(found) else found


def _foreign_owner_on_path(path: Path) -> os.stat_result | None:
    for one in (*reversed(path.parents), path):
        try:
            found = one.lstat()
        except (FileNotFoundError, NotADirectoryError):
            if one.parent.exists() and _is_shared(one.parent.stat()):
                raise _permission_error(one.parent) from None
            return None
        if not _is_owned_by_root(found):
            return found
        # In a folder such as /tmp others may create what is missing, but not rename what is root's.
        if _is_shared(found) and not found.st_mode & stat.S_ISVTX:
            raise _permission_error(one)
        if stat.S_ISLNK(found.st_mode) and (other := _foreign_owner_on_path(one.parent / os.readlink(one))):
            return other
    return None


def _permission_error(folder: Path) -> PermissionError:
    return PermissionError(f"others may change {folder}: as root, name a folder that only root may change.")


def _is_owned_by_root(found: os.stat_result) -> bool:
    # In a container "/" may appear to be another user's, who owns everything anyway.
    return found.st_uid in (0, os.lstat("/").st_uid)


def _is_shared(found: os.stat_result) -> bool:
    """True for a folder in which other users may create or rename something."""
    group = found.st_mode & stat.S_IWGRP and found.st_gid
    return stat.S_ISDIR(found.st_mode) and bool(group or found.st_mode & stat.S_IWOTH)


def _become_user(owner: os.stat_result) -> None:
    """Become the owner of a file, irrevocably. Raises OSError."""
    try:
        account = pwd.getpwuid(owner.st_uid)
        group, home = account.pw_gid, account.pw_dir
        os.initgroups(account.pw_name, group)
    except KeyError:  # a container may have no account of that number
        group, home = owner.st_gid or owner.st_uid, "/"
        os.setgroups([group])
    os.setresgid(group, group, group)
    os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)
    os.environ["HOME"] = home
