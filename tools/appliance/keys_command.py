"""Makes and keeps the keys that updates are signed with.

  tools/firmware-keys new FOLDER --name NAME    a root, its first signer, and the keyring that boxes get
  tools/firmware-keys signer FOLDER             the next signer, by the newest root: before the one of now ends, or after it was revoked
  tools/firmware-keys revoke FOLDER SIGNER      a key that was stolen or lost: boxes that have the next release refuse all that it signed, at any time
  tools/firmware-keys root FOLDER               the next root and a signer of it; boxes keep trusting the earlier roots
  tools/firmware-keys drop FOLDER ROOT          a root that no box needs any more, once each has a release with the next one
  tools/firmware-keys show FOLDER               what is there, and when it ends

docs/security.md says what to do when. A root's key (root-N/key.pem) is needed for signer, revoke and root alone: keep it, and a copy, off this computer.
"""

import argparse
import sys

from . import firmware, keys, recipe


def options_of(words):
    parser = firmware.Parser(prog="tools/firmware-keys", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("order", choices=("new", "signer", "revoke", "root", "drop", "show"))
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("which", nargs="?", metavar="SIGNER|ROOT")
    parser.add_argument("--name", help="the signer's name in the certificates")
    options = parser.parse_args(words)
    if (options.order == "new") != bool(options.name):
        parser.error("new, and new alone, wants --name")
    if (options.order in ("revoke", "drop")) != bool(options.which):
        parser.error("revoke and drop, and these alone, want the name of a signer or root, such as signer-1")
    if options.name and not all(c.isalnum() or c in " .-" for c in options.name):
        parser.error("--name: letters, digits, space and . -")
    return options


def obey(options):
    folder = keys.Folder(options.folder)
    if options.order == "new":
        folder.new(options.name)
        print(f"made. Move {folder.path}/root-1/key.pem to where no other computer reaches it, with a copy; build with: tools/firmware TARGET --keys {folder.path}")
    elif options.order == "signer":
        print(f"made {folder.signer()}; tools/firmware signs with it from now on")
    elif options.order == "revoke":
        folder.revoke(options.which)
        rest = [p.name for p in folder.numbered("signer") if not (p / "revoked").exists()]
        print(f"revoked. Build the next release with another signer ({rest[-1] if rest else 'make one: tools/firmware-keys signer'}): it brings the revocation to the boxes")
    elif options.order == "root":
        place, signer = folder.root(folder.name())
        print(f"made {place} and {signer}. Boxes of before don't trust it yet: sign the next release with --key and --cert of the signer of before, and --keyring {folder.keyring}")
    elif options.order == "drop":
        folder.drop(options.which)
        print(f"{options.which} is not in the keyring any more")
    for line in folder.show():
        print(line)


def main():
    options = options_of(sys.argv[1:])
    try:
        obey(options)
    except (recipe.RecipeError, OSError) as error:
        print(f"tools/firmware-keys: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
