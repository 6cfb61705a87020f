"""rclone as a judge of the emulated Dropbox."""

import json
import os
import urllib.parse

import judging
from judging import check, equal

NAMES = ["plain", "two words", "ä ö", "日本", "per%20cent", "hash#", "quo'te", "Capital", "back\\slash", "dot.", "😀"]
DATE = 1612325045  # 2021-02-03T04:04:05Z


class Subject:
    def __init__(self, lab, folder):
        self.lab, self.folder = lab, folder
        self.rclone = judging.Rclone(lab, folder, ["--dropbox-batch-mode", "off", "--dropbox-chunk-size", "256k"])
        dropbox = lab.ready["dropbox"]
        token = {"access_token": dropbox["accessToken"], "token_type": "bearer", "expiry": "2099-01-01T00:00:00Z"}
        ended = token | {"access_token": "ended", "expiry": "2020-01-01T00:00:00Z"}
        ended["refresh_token"] = dropbox["refreshToken"]
        app = {"type": "dropbox", "client_id": "app", "client_secret": "secret"}
        self.rclone.configure(box=app | {"token": json.dumps(token)}, late=app | {"token": json.dumps(ended)})
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
    subject.rclone.run("copy", "tree", "box:T")


@check("lists all of them, page by page, with names, sizes, dates and kinds")
def listing(subject):
    entries = subject.rclone.entries("box:T", "-R")
    expected = {str(path.relative_to(subject.tree)): path.stat().st_size for path in subject.files()}
    equal({path: entry["Size"] for path, entry in entries.items() if not entry["IsDir"]}, expected)
    equal([path for path, entry in entries.items() if entry["IsDir"]], ["sub"])
    equal({entry["ModTime"] for entry in entries.values() if not entry["IsDir"]}, {"2021-02-03T04:04:05Z"})
    pages = [entry for entry in subject.lab.exchanges("dropbox") if entry["route"] == "files/list_folder/continue"]
    assert len(pages) >= 3, "there was no further page"


@check("finds the hashes that the contents have")
def hashes(subject):
    lines = subject.rclone.text("hashsum", "dropbox", "box:T").splitlines()
    found = {line.split("  ", 1)[1]: line.split("  ", 1)[0] for line in lines}
    expected = {str(path.relative_to(subject.tree)): judging.content_hash(path.read_bytes()) for path in subject.files()}
    equal(found, expected)


@check("finds nothing to copy the second time")
def again(subject):
    before = len(subject.lab.exchanges("dropbox"))
    subject.rclone.run("copy", "tree", "box:T")
    routes = {entry["route"] for entry in subject.lab.exchanges("dropbox")[before:]}
    assert not any("upload" in route for route in routes), f"uploaded again: {routes}"


@check("downloads the tree as it was")
def download(subject):
    subject.rclone.run("copy", "box:T", "back")
    for path in subject.files():
        copy = subject.folder / "back" / path.relative_to(subject.tree)
        equal(copy.read_bytes(), path.read_bytes(), path.name)
        equal(copy.stat().st_mtime, DATE, path.name)


@check("uploads in chunks")
def chunks(subject):
    (subject.folder / "big").write_bytes(judging.pattern(700_001, 7))
    subject.rclone.run("copyto", "big", "box:Big/big")
    routes = [entry["route"] for entry in subject.lab.exchanges("dropbox")]
    assert routes.count("files/upload_session/append_v2") >= 2, "the file went up in one piece"
    subject.rclone.run("check", "--download", "big", "box:Big")


@check("uploads many files in one commit")
def batch(subject):
    subject.rclone.run("copy", "tree", "box:Batch", "--dropbox-batch-mode", "sync", "--dropbox-batch-timeout", "100ms")
    subject.rclone.run("check", "--download", "tree", "box:Batch")
    routes = [entry["route"] for entry in subject.lab.exchanges("dropbox")]
    assert "files/upload_session/finish_batch_v2" in routes, "there was no batch"


@check("downloads ranges")
def ranges(subject):
    data = judging.pattern(700_001, 7)
    equal(subject.rclone.run("cat", "box:Big/big", "--offset", "1000", "--count", "50"), data[1000:1050])
    equal(subject.rclone.run("cat", "box:Big/big", "--offset", "-5"), data[-5:])


@check("replaces a file")
def replace(subject):
    subject.rclone.run("rcat", "box:T/plain", data=b"something else")
    equal(subject.rclone.run("cat", "box:T/plain"), b"something else")
    equal([entry["Size"] for path, entry in subject.rclone.entries("box:T").items() if path == "plain"], [14])


@check("copies a file there")
def copy(subject):
    before = len(subject.lab.exchanges("dropbox"))
    subject.rclone.run("copyto", "box:T/ä ö", "box:Copies/copy")
    data = (subject.tree / "ä ö").read_bytes()
    equal(subject.rclone.run("cat", "box:Copies/copy"), data)
    equal(subject.rclone.run("cat", "box:T/ä ö"), data)
    routes = [entry["route"] for entry in subject.lab.exchanges("dropbox")[before:]]
    assert "files/copy_v2" in routes, "it was not copied by the service"


@check("renames a file, and moves it to another folder")
def move(subject):
    subject.rclone.run("moveto", "box:Copies/copy", "box:Copies/renamed")
    equal(sorted(subject.rclone.entries("box:Copies")), ["renamed"])
    subject.rclone.run("moveto", "box:Copies/renamed", "box:Other/moved")
    equal(sorted(subject.rclone.entries("box:Copies")), [])
    equal(subject.rclone.run("cat", "box:Other/moved"), (subject.tree / "ä ö").read_bytes())


@check("moves a folder")
def move_folder(subject):
    subject.rclone.run("moveto", "box:Batch", "box:Moved/batch")
    subject.rclone.run("check", "--download", "tree", "box:Moved/batch")
    assert "Batch" not in subject.rclone.entries("box:"), "the folder is still there"


@check("deletes a file, an empty folder and a full one")
def delete(subject):
    subject.rclone.run("deletefile", "box:T/hash#")
    assert "hash#" not in subject.rclone.entries("box:T"), "the file is still there"
    subject.rclone.run("mkdir", "box:Empty")
    assert subject.rclone.entries("box:")["Empty"]["IsDir"]
    subject.rclone.run("rmdir", "box:Empty")
    subject.rclone.run("rmdir", "box:Moved", code=1)
    subject.rclone.run("purge", "box:Moved")
    names = set(subject.rclone.entries("box:"))
    assert not names & {"Empty", "Moved"}, f"{names}"


@check("reports what is missing")
def missing(subject):
    subject.rclone.run("lsf", "box:nothing", code=3)
    subject.rclone.run("lsf", "box:T/plain/inside", code=3)
    subject.rclone.run("copyto", "box:T/nothing", "box:T/copy", code=3)


@check("makes a link, the same each time")
def link(subject):
    first = subject.rclone.text("link", "box:T/plain").strip()
    equal(urllib.parse.urlsplit(first).scheme, "https")
    equal(subject.rclone.text("link", "box:T/plain").strip(), first)


@check("lists the whole account")
def everything(subject):
    entries = subject.rclone.entries("box:", "-R")
    assert {"T", "T/plain", "T/sub/inner", "Other/moved"} <= set(entries), sorted(entries)


@check("learns how much free space there is")
def about(subject):
    figures = json.loads(subject.rclone.run("about", "box:", "--json"))
    sizes = [entry["Size"] for entry in subject.rclone.entries("box:", "-R").values() if not entry["IsDir"]]
    equal(figures["used"], sum(sizes))
    equal(figures["total"], figures["used"] + figures["free"])


@check("follows changes")
def changes(subject):
    count = len(subject.lab.exchanges("dropbox"))
    with subject.rclone.start("test", "changenotify", "box:T", "--poll-interval", "1s") as watcher:
        try:
            # Anything that changes after that is news.
            subject.lab.wait_for("files/list_folder/get_latest_cursor", after=count)
            subject.rclone.run("rcat", "box:T/news", data=b"new")
            judging.wait_for_line(watcher, "news")
        finally:
            watcher.kill()


@check("refreshes a token that has ended")
def refresh(subject):
    equal(subject.rclone.run("cat", "late:T/ä ö"), (subject.tree / "ä ö").read_bytes())
    routes = [entry["route"] for entry in subject.lab.exchanges("dropbox")]
    assert "oauth2/token" in routes, "nobody asked for a new token"
    assert '"ended"' not in subject.rclone.configuration.read_text(), "the new token was not kept"


judging.run("rclone at Dropbox", Subject, ["--token-lifetime", "14400"])
