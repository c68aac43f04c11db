"""Judges the committed results as an archive, and the article: check.py ENVIRONMENT ARTICLE

Each judge is also given something that is wrong, which it must refuse: one that accepts everything says nothing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from hashlib import sha256
from importlib import metadata
from io import BytesIO
from pathlib import Path

import typst
from frictionless import Package
from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from urllib3.response import HTTPResponse

MOST_PAGES = 8
environment, article = map(Path, sys.argv[1:])
failed = []


def judge(name, what, wrong):
    """Says what a judge said; `wrong` are lines of complaint."""
    print(f"{name} {metadata.version(name)}: {what}: {'; '.join(wrong) if wrong else 'valid'}")
    failed.extend(wrong)


def program(name, *arguments):
    """Runs a program of the environment: whether it was content, and its words."""
    width = {**os.environ, "COLUMNS": "1000", "NO_COLOR": "1"}
    done = subprocess.run([environment / "bin" / name, *arguments], capture_output=True, text=True, env=width)
    return done.returncode == 0, done.stdout + done.stderr


class Shipped(HTTPAdapter):
    """Answers with a text that is at hand, in place of the network."""

    def __init__(self, text):
        super().__init__()
        self.text = text

    def send(self, request, **_):
        headers = {"Content-Type": "application/ld+json"}
        raw = HTTPResponse(BytesIO(self.text), headers, 200, preload_content=False, request_url=request.url)
        return self.build_response(request, raw)


def context_cache(folder):
    """A cache with the context of RO-Crate 1.1 as the package rocrate ships it, from which roc-validator works without a network."""
    text = Path(metadata.distribution("rocrate").locate_file("rocrate/data/ro-crate.jsonld")).read_bytes()
    with CachedSession(str(folder / "context"), backend="sqlite", expire_after=-1) as session:
        session.mount("https://", Shipped(text))
        session.get(json.loads(text)["@id"])
    return folder / "context"


def crate(cache, folder):
    """What roc-validator says of a crate: complaints that break the profile."""
    options = ["--offline", "--cache-path", cache, "--profile-identifier", "process-run-crate", "--requirement-severity", "required"]
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "report.json"
        content, said = program("rocrate-validator", "validate", *options, "--output-format", "json", "--output-file", report, folder)
        found = json.loads(report.read_text())["issues"] if report.exists() else [{"message": said.strip()[-500:]}]
    found = [issue["message"] for issue in found]
    return found if content == (not found) else [*found, f"roc-validator ended otherwise than it says: {said.strip()[-500:]}"]


def stale(folder):
    """Files of a crate that are not what it says of them."""
    graph = json.loads((folder / "ro-crate-metadata.json").read_text())["@graph"]
    wrong = []
    for entity in graph:
        if "sha256" in entity:
            path = folder / ".." / entity["@id"][1:] if entity["@id"].startswith("#") else folder / entity["@id"]
            contents = path.read_bytes() if path.exists() else b""
            if (sha256(contents).hexdigest(), str(len(contents))) != (entity["sha256"], entity["contentSize"]):
                wrong.append(f"{path} is not what the crate says: `clothlab report` writes it")
    return wrong


def tables(package):
    """What frictionless says of a data package and of every row of its tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = Package(str(package)).validate()
    return [f"{package}: {error[-1]}" for error in report.flatten(["title", "rowNumber", "note"])], report.stats["tasks"]


with tempfile.TemporaryDirectory() as place:
    place = Path(place)
    cache = context_cache(place)
    judge("roc-validator", "results/ro-crate-metadata.json as a Process Run Crate 0.5", crate(cache, Path("results")))
    failed.extend(stale(Path("results")))
    broken = place / "crate"
    broken.mkdir()
    text = Path("results/ro-crate-metadata.json").read_text()
    (broken / "ro-crate-metadata.json").write_text(text.replace('"datePublished"', '"dateCreated"').replace('"instrument"', '"agent"'))
    complaints = " ".join(crate(cache, broken))
    if not all(part in complaints for part in ("datePublished", "instrument", "payload")):
        failed.append(f"roc-validator accepts a crate without date, instruments and files: {complaints[:500]}")

    packages = sorted(Path("results").glob("*/datapackage.json"))
    said = [tables(package) for package in packages]
    what = f"{sum(count for _, count in said)} tables of {len(packages)} data packages"
    judge("frictionless", what, [error for errors, _ in said for error in errors] if packages else ["there is no data package"])
    broken = place / "package"
    shutil.copytree(packages[0].parent, broken)
    rows = (broken / "cases.csv").read_text().splitlines(keepends=True)
    (broken / "cases.csv").write_text("".join([*rows[:1], "no number" + rows[1][rows[1].index(",") :], *rows[2:]]))
    if not tables(broken / "datapackage.json")[0]:
        failed.append("frictionless accepts a text where the set stands")

    content, words = program("cffconvert", "--validate", "--infile", "CITATION.cff")
    judge("cffconvert", "CITATION.cff", [] if content else [words.strip()[-500:]])
    broken = place / "CITATION.cff"
    broken.write_text(Path("CITATION.cff").read_text().replace("title:", "titel:", 1))
    if program("cffconvert", "--validate", "--infile", broken)[0]:
        failed.append("cffconvert accepts a citation without a title")

source = article / "article.typ"
try:
    # with the fonts that the compiler ships, as on any other machine
    pages = typst.compile(source, format="svg", ignore_system_fonts=True)
    pages = len(pages) if isinstance(pages, list) else 1
    typst.compile(source, output=article / "article.pdf", ignore_system_fonts=True)
    judge("typst", f"{article / 'article.pdf'}, {pages} pages", [f"more than {MOST_PAGES} pages"] if pages > MOST_PAGES else [])
except typst.TypstError as error:
    judge("typst", str(source), [str(error)])

if failed:
    sys.exit("the archive is not what it should be: " + "; ".join(failed))
