"""rclone as a judge of the emulated OneDrive."""

import base64
import json
import os
import urllib.parse

import judging
from judging import check, equal

NAMES = ["plain", "two words", "ä ö", "日本", "per%20cent", "hash#", "quo'te", "Capital", "colon:", "ask?", "dot.", "😀"]
DATE = 1612325045  # 2021-02-03T04:04:05Z


class Subject:
    def __init__(self, lab, folder):
        self.lab, self.folder = lab, folder
        self.rclone = judging.Rclone(lab, folder, ["--onedrive-chunk-size", "320k"])
        graph = lab.ready["graph"]
        token = {"access_token": graph["accessToken"], "token_type": "bearer", "expiry": "2099-01-01T00:00:00Z"}
        token["refresh_token"] = self.refresh_token = graph["refreshToken"]
        ended = token | {"access_token": "ended", "expiry": "2020-01-01T00:00:00Z"}
        drive = {"type": "onedrive", "client_id": "app", "client_secret": "secret", "region": "global"}
        drive |= {"drive_id": graph["driveID"], "drive_type": graph["driveType"]}
        self.rclone.configure(one=drive | {"token": json.dumps(token)}, late=drive | {"token": json.dumps(ended)})
        self.tree = folder / "tree"
        (self.tree / "sub").mkdir(parents=True)
        for index, name in enumerate(NAMES):
            (self.tree / name).write_bytes(judging.pattern(20 * index, index + 1))
        (self.tree / "sub" / "inner").write_bytes(b"deep")
        for path in self.files():
            os.utime(path, (DATE, DATE))

    def files(self):
        return [path for path in self.tree.rglob("*") if path.is_file()]


@check("uploads a tree of small files")
def upload(subject):
    subject.rclone.run("copy", "tree", "one:T")


@check("lists all of them, page by page, with names, sizes, dates and kinds")
def listing(subject):
    count = len(subject.lab.exchanges("graph"))
    entries = subject.rclone.entries("one:T", "-R")
    expected = {str(path.relative_to(subject.tree)): path.stat().st_size for path in subject.files()}
    equal({path: entry["Size"] for path, entry in entries.items() if not entry["IsDir"]}, expected)
    equal([path for path, entry in entries.items() if entry["IsDir"]], ["sub"])
    equal({entry["ModTime"] for entry in entries.values() if not entry["IsDir"]}, {"2021-02-03T04:04:05Z"})
    pages = [entry for entry in subject.lab.exchanges("graph")[count:] if "skiptoken" in entry["target"].lower()]
    assert len(pages) >= 3, "there was no further page"


@check("finds the hashes that the contents have")
def hashes(subject):
    lines = subject.rclone.text("hashsum", "quickxor", "one:T").splitlines()
    found = {line.split("  ", 1)[1]: line.split("  ", 1)[0] for line in lines}
    expected = {
        str(path.relative_to(subject.tree)): base64.b64decode(judging.quick_xor_hash(path.read_bytes())).hex()
        for path in subject.files()
    }
    equal(found, expected)


@check("finds nothing to copy the second time")
def again(subject):
    count = len(subject.lab.exchanges("graph"))
    subject.rclone.run("copy", "tree", "one:T")
    methods = {entry["method"] for entry in subject.lab.exchanges("graph")[count:]}
    equal(methods, {"GET"})


@check("downloads the tree as it was")
def download(subject):
    subject.rclone.run("copy", "one:T", "back")
    for path in subject.files():
        copy = subject.folder / "back" / path.relative_to(subject.tree)
        equal(copy.read_bytes(), path.read_bytes(), path.name)
        equal(copy.stat().st_mtime, DATE, path.name)


@check("uploads in fragments, without an access token")
def fragments(subject):
    (subject.folder / "big").write_bytes(judging.pattern(700_001, 7))
    count = len(subject.lab.exchanges("graph"))
    subject.rclone.run("copyto", "big", "one:Big/big")
    parts = [entry for entry in subject.lab.exchanges("graph")[count:] if entry["method"] == "PUT"]
    equal([entry["requestBytes"] for entry in parts], [327_680, 327_680, 44_641])
    assert not any(entry["isAuthorized"] for entry in parts)
    subject.rclone.run("check", "--download", "big", "one:Big")


@check("downloads ranges")
def ranges(subject):
    data = judging.pattern(700_001, 7)
    equal(subject.rclone.run("cat", "one:Big/big", "--offset", "1000", "--count", "50"), data[1000:1050])
    equal(subject.rclone.run("cat", "one:Big/big", "--offset", "-5"), data[-5:])


@check("replaces a file")
def replace(subject):
    subject.rclone.run("rcat", "one:T/plain", data=b"something else")
    equal(subject.rclone.run("cat", "one:T/plain"), b"something else")
    equal([entry["Size"] for path, entry in subject.rclone.entries("one:T").items() if path == "plain"], [14])


@check("sets a date later")
def touch(subject):
    subject.rclone.run("touch", "--timestamp", "2019-08-07T06:05:04", "one:T/plain")
    equal(subject.rclone.entries("one:T")["plain"]["ModTime"], "2019-08-07T06:05:04Z")


@check("copies a file there")
def copy(subject):
    count = len(subject.lab.exchanges("graph"))
    subject.rclone.run("copyto", "one:T/ä ö", "one:Copies/copy")
    data = (subject.tree / "ä ö").read_bytes()
    equal(subject.rclone.run("cat", "one:Copies/copy"), data)
    equal(subject.rclone.run("cat", "one:T/ä ö"), data)
    equal(subject.rclone.entries("one:Copies")["copy"]["ModTime"], "2021-02-03T04:04:05Z")
    routes = [entry["route"] for entry in subject.lab.exchanges("graph")[count:]]
    assert "copy" in routes, f"it was not copied by the service: {routes}"


@check("renames a file, and moves it to another folder")
def move(subject):
    subject.rclone.run("moveto", "one:Copies/copy", "one:Copies/renamed")
    equal(sorted(subject.rclone.entries("one:Copies")), ["renamed"])
    subject.rclone.run("moveto", "one:Copies/renamed", "one:Other/moved")
    equal(sorted(subject.rclone.entries("one:Copies")), [])
    equal(subject.rclone.run("cat", "one:Other/moved"), (subject.tree / "ä ö").read_bytes())


@check("moves a folder")
def move_folder(subject):
    subject.rclone.run("copy", "tree", "one:Second")
    subject.rclone.run("moveto", "one:Second", "one:Moved/second")
    subject.rclone.run("check", "--download", "tree", "one:Moved/second")
    assert "Second" not in subject.rclone.entries("one:"), "the folder is still there"


@check("deletes a file, an empty folder and a full one")
def delete(subject):
    subject.rclone.run("deletefile", "one:T/hash#")
    assert "hash#" not in subject.rclone.entries("one:T"), "the file is still there"
    subject.rclone.run("mkdir", "one:Empty")
    assert subject.rclone.entries("one:")["Empty"]["IsDir"]
    subject.rclone.run("rmdir", "one:Empty")
    subject.rclone.run("rmdir", "one:Moved", code=1)
    subject.rclone.run("purge", "one:Moved")
    names = set(subject.rclone.entries("one:"))
    assert not names & {"Empty", "Moved"}, f"{names}"


@check("reports what is missing")
def missing(subject):
    subject.rclone.run("lsf", "one:nothing", code=3)
    subject.rclone.run("copyto", "one:T/nothing", "one:T/copy", code=3)


@check("makes a link, the same each time")
def link(subject):
    first = subject.rclone.text("link", "one:T/plain").strip()
    equal(urllib.parse.urlsplit(first).scheme, "https")
    equal(subject.rclone.text("link", "one:T/plain").strip(), first)


@check("lists the whole drive, folder by folder and by its changes")
def everything(subject):
    entries = subject.rclone.entries("one:", "-R")
    assert {"T", "T/plain", "T/sub/inner", "Other/moved"} <= set(entries), sorted(entries)
    changes = subject.rclone.entries("one:", "-R", "--fast-list", "--onedrive-delta")
    equal(sorted(changes), sorted(entries))


@check("learns how much free space there is")
def about(subject):
    figures = json.loads(subject.rclone.run("about", "one:", "--json"))
    assert figures["used"] > 700_000 and figures["total"] > figures["used"], figures
    equal(figures["free"], figures["total"] - figures["used"])


@check("follows changes")
def changes(subject):
    count = len(subject.lab.exchanges("graph"))
    with subject.rclone.start("test", "changenotify", "one:", "--poll-interval", "1s") as watcher:
        try:
            # Anything that changes after that is news.
            subject.lab.wait_for("delta", after=count)
            # At the root, since rclone looks for the path of the parent, which a feed doesn't have.
            subject.rclone.run("rcat", "one:news", data=b"new")
            judging.wait_for_line(watcher, "news")
        finally:
            watcher.kill()


@check("refreshes a token that has ended, and keeps the new refresh token")
def refresh(subject):
    equal(subject.rclone.run("cat", "late:T/ä ö"), (subject.tree / "ä ö").read_bytes())
    routes = [entry["route"] for entry in subject.lab.exchanges("graph")]
    assert "token" in routes, "nobody asked for a new token"
    assert '"ended"' not in subject.rclone.configuration.read_text(), "the new token was not kept"
    late = subject.rclone.configuration.read_text().partition("[late]")[2]
    assert subject.refresh_token not in late, "the refresh token was not rotated"


judging.run("rclone at OneDrive", Subject)
