"""The files of recipe/, filled in: docs/fleet.md shows an operator the same ones."""

import pathlib
import shlex
import string
import subprocess

RECIPE = pathlib.Path(__file__).resolve().parent / "recipe"


def filled(file, **values):
    """FILE of the recipe, or another one, with its $names filled in. A $name that is not filled is an error."""
    return string.Template((RECIPE / file).read_text()).substitute(values)


def environment(text):
    """The variables of a file as systemd's EnvironmentFile= reads it."""
    lines = (line.strip() for line in text.splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: " ".join(shlex.split(value)) for name, _, value in pairs}


def make_certificate(folder, name, *addresses):
    subprocess.run([RECIPE / "make_certificates", folder, name, *addresses], check=True)
