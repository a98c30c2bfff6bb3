"""What is claimed, proved. The folders mirror the rooms."""
