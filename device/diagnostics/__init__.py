"""The doctor: checks by part, their report, and the support bundle. Imported by commands and by the app."""
