"""The doctor: facts about a machine and its table, the checks on them, the report and the support bundle.

Imported by the commands and by the program.
"""
