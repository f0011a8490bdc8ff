"""The command line: parse, call, print.

Everything that takes time to import is imported where it is used, so that help is quick.
"""
