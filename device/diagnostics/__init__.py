"""The doctor: facts about a machine and its table, checks, the report and the support bundle.

Imported by the commands and by the program.
"""
