"""The keys of updates: roots that boxes trust, signers that roots vouch for, and what was revoked. tools/firmware-keys is the command.

A folder of keys holds:
  keyring.pem           what boxes get: the roots, and the list of each of what it revoked. Nothing in it is secret.
  root-N/key.pem        a root's key: only for new signers and revocations. Keep it off the computer that builds.
  root-N/cert.pem, crl.pem, index.txt
  signer-N/key.pem, cert.pem, root    a signer's key, which tools/firmware signs bundles with; the newest one is used
"""

import dataclasses
import datetime
import os
import pathlib
import re
import tempfile

from . import recipe

DEVELOPMENT = "DEVELOPMENT"  # this word in the name of a root or signer makes everything loud that is signed with it
ROOT_DAYS = 20 * 365         # a box in a cellar is used for ten years or more, and must take its last update too
SIGNER_DAYS = 2 * 365        # a key that lies on a computer that builds; a bundle stays good when its signer's time is over
WARN_DAYS = 30
HEADER = re.compile(r"# smsrack keyring (\d{14}) ends (\d{4}-\d{2}-\d{2})( DEVELOPMENT)?\n")
CERTIFICATES = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", re.DOTALL)
LISTS = re.compile(r"-----BEGIN X509 CRL-----.*?-----END X509 CRL-----\n", re.DOTALL)

EXTENSIONS = """
[root]
basicConstraints=critical,CA:TRUE,pathlen:0
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
[signer]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=codeSigning
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
[req]
distinguished_name=name
[name]
[ca]
default_ca=list
[list]
database=@FOLDER@/index.txt
default_md=sha256
default_crl_days=1
"""


@dataclasses.dataclass(frozen=True)
class Signing:
    """What a bundle is signed with, and the keyring that a release brings."""
    key: pathlib.Path
    certificate: pathlib.Path
    keyring: pathlib.Path

    @property
    def development(self):
        """Whether the signer, or anything that the keyring trusts, is for development alone."""
        return any(DEVELOPMENT in name_of(text) for text in [self.certificate.read_text(), *CERTIFICATES.findall(self.keyring.read_text())])


def asked(certificate, *what):
    """What openssl says of the text of a certificate."""
    with tempfile.TemporaryFile("w+") as file:
        file.write(certificate)
        file.seek(0)
        return recipe.run("openssl", "x509", "-noout", *what, stdin=file).partition("=")[2].strip()


def time_of(said):
    return datetime.datetime.strptime(said, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=datetime.timezone.utc)


def name_of(certificate):
    return asked(certificate, "-subject", "-nameopt", "RFC2253")


def begin_of(certificate):
    return time_of(asked(certificate, "-startdate"))


def end_of(certificate):
    return time_of(asked(certificate, "-enddate"))


class Folder:
    def __init__(self, path, now=None):
        self.path = pathlib.Path(path)
        self.now = now or datetime.datetime.now(datetime.timezone.utc)

    @property
    def keyring(self):
        return self.path / "keyring.pem"

    def numbered(self, kind):
        """root-1, root-2 ... in their order."""
        found = [p for p in self.path.glob(f"{kind}-*") if (p / "cert.pem").exists()]
        return sorted(found, key=lambda p: int(p.name.partition("-")[2]))

    def signing(self):
        signers = self.numbered("signer")
        if not signers or not self.keyring.exists():
            raise recipe.RecipeError(f"{self.path} has no signer and keyring; `tools/firmware-keys new {self.path} --name NAME` makes them")
        return Signing(signers[-1] / "key.pem", signers[-1] / "cert.pem", self.keyring)

    def name(self):
        """The signer's name, from the newest root."""
        roots = self.numbered("root")
        if not roots:
            raise recipe.RecipeError(f"{self.path} has no root; `new` makes one")
        return name_of((roots[-1] / "cert.pem").read_text()).removeprefix("CN=").removesuffix(f" {roots[-1].name}")

    def new(self, name):
        if self.path.exists() and any(self.path.iterdir()):
            raise recipe.RecipeError(f"{self.path} is there already, and not empty")
        self.root(name)

    def root(self, name):
        """Another root with its first signer. The keyring keeps the roots that it had. Each has a name of its own: a list of revocations is found by the name."""
        place = self._place("root")
        self._with_key(place, "req", "-x509", "-new", "-days", ROOT_DAYS, "-subj", f"/CN={name} {place.name}", "-extensions", "root", out="cert.pem")
        (place / "index.txt").write_text("")
        self._list(place)
        signer = self.signer(name)
        self.write_keyring()
        return place, signer

    def signer(self, name=None):
        roots = self.numbered("root")
        if not roots or not (roots[-1] / "key.pem").exists():
            raise recipe.RecipeError(f"{self.path} has no root's key: bring root-N/key.pem back for this")
        root, place = roots[-1], self._place("signer")
        name = name or self.name()
        request = self._with_key(place, "req", "-new", "-subj", f"/CN={name} {place.name}", out="request.pem")
        with self._extensions(place) as extensions:
            recipe.run("openssl", "x509", "-req", "-in", request, "-CA", root / "cert.pem", "-CAkey", root / "key.pem", "-set_serial", f"0x{os.urandom(15).hex()}",
                       "-days", SIGNER_DAYS, "-extfile", extensions.name, "-extensions", "signer", "-out", place / "cert.pem")
        request.unlink()
        (place / "root").write_text(f"{root.name}\n")
        return place

    def revoke(self, name):
        place = self.path / name
        if place not in self.numbered("signer"):
            raise recipe.RecipeError(f"{self.path} has no {name}; `show` lists the signers")
        root = self.path / (place / "root").read_text().strip()
        with self._extensions(root) as config:
            recipe.run("openssl", "ca", "-config", config.name, "-revoke", place / "cert.pem", "-keyfile", root / "key.pem", "-cert", root / "cert.pem")
        self._list(root)
        (place / "revoked").write_text(f"{self.now:%Y-%m-%d}\n")
        self.write_keyring()

    def drop(self, name):
        """A root is trusted no more by releases from now on."""
        place = self.path / name
        if place not in self.numbered("root") or len(self.numbered("root")) < 2:
            raise recipe.RecipeError(f"{self.path} has no {name}, or no other root")
        place.rename(self.path / f"dropped-{name}")
        self.write_keyring()

    def write_keyring(self):
        """Its number is the time, and above the one before: boxes keep the newest."""
        parts = [(root / "cert.pem").read_text() for root in self.numbered("root")]
        ends = max(end_of(text) for text in parts)
        development = any(DEVELOPMENT in name_of(text) for text in parts)
        number = int(f"{self.now:%Y%m%d%H%M%S}")
        if self.keyring.exists() and (before := HEADER.match(self.keyring.read_text())):
            number = max(number, int(before[1]) + 1)
        text = f"# smsrack keyring {number} ends {ends:%Y-%m-%d}{' ' + DEVELOPMENT if development else ''}\n"
        fresh = self.keyring.with_suffix(".new")
        fresh.write_text(text + "".join(parts) + "".join((root / "crl.pem").read_text() for root in self.numbered("root")))
        fresh.rename(self.keyring)

    def show(self):
        """A line for each root and signer."""
        for place in [*self.numbered("root"), *self.numbered("signer")]:
            text = (place / "cert.pem").read_text()
            state = f"revoked {(place / 'revoked').read_text().strip()}" if (place / "revoked").exists() else "key is here" if (place / "key.pem").exists() else "key is elsewhere"
            yield f"{place.name:<10} ends {end_of(text):%Y-%m-%d}  {state:<20} {name_of(text)}"

    def _place(self, kind):
        taken = [int(p.name.rpartition("-")[2]) for p in self.path.glob(f"*{kind}-*") if p.name.rpartition("-")[2].isdigit()]
        place = self.path / f"{kind}-{max(taken, default=0) + 1}"
        place.mkdir(parents=True)
        return place

    def _extensions(self, place):
        file = tempfile.NamedTemporaryFile("w", suffix=".cnf")
        file.write(EXTENSIONS.replace("@FOLDER@", str(place)))
        file.flush()
        return file

    def _with_key(self, place, *words, out):
        """Makes a key that no other account can read, and what openssl makes with it."""
        before = os.umask(0o077)
        try:
            recipe.run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", place / "key.pem")
        finally:
            os.umask(before)
        with self._extensions(place) as config:
            recipe.run("openssl", *words, "-key", place / "key.pem", "-config", config.name, "-out", place / out)
        return place / out

    def _list(self, root):
        """What a root revoked. It holds for the root's whole life, from its first day: boxes check a bundle as of the moment when it was signed, and a list that came
        later, or had ended, would make them refuse each of them."""
        text = (root / "cert.pem").read_text()
        with self._extensions(root) as config:
            recipe.run("openssl", "ca", "-config", config.name, "-gencrl", "-keyfile", root / "key.pem", "-cert", root / "cert.pem", "-out", root / "crl.pem",
                       "-crl_lastupdate", f"{begin_of(text):%Y%m%d%H%M%SZ}", "-crl_nextupdate", f"{end_of(text):%Y%m%d%H%M%SZ}")


def check(signing, now=None):
    """RecipeError where boxes would refuse what is signed so; sentences that the builder should read otherwise."""
    now = now or datetime.datetime.now(datetime.timezone.utc)
    text, keyring = signing.certificate.read_text(), signing.keyring.read_text()
    if not HEADER.match(keyring) or len(LISTS.findall(keyring)) < len(CERTIFICATES.findall(keyring)):
        raise recipe.RecipeError(f"{signing.keyring}: no keyring of tools/firmware-keys: it needs its number and a list of revocations for each root")
    if not begin_of(text) <= now < end_of(text):
        raise recipe.RecipeError(f"{signing.certificate}: valid from {begin_of(text):%Y-%m-%d} to {end_of(text):%Y-%m-%d}: make another signer (tools/firmware-keys signer)")
    recipe.run("openssl", "verify", "-crl_check_all", "-purpose", "any", "-CAfile", signing.keyring, signing.certificate)
    said = []
    if (left := (end_of(text) - now).days) < WARN_DAYS:
        said.append(f"the signer ends in {left} days: tools/firmware-keys signer makes another one")
    if signing.development:
        said.append("signed with a DEVELOPMENT key, which is unprotected on this computer: anyone who has it can make updates for boxes with this image. NOT FOR USE. "
                    "`tools/firmware-keys new` and --keys give a release keys of its own (docs/security.md)")
    return said
