"""Dropbox's own SDK for Python as a judge of the emulated Dropbox, and some requests that no SDK would make."""

import datetime
import json

import dropbox
import judging
from dropbox import common, exceptions, files, sharing
from judging import check, equal

DATE = datetime.datetime(2021, 2, 3, 4, 5, 6)
OVERWRITE = files.WriteMode.overwrite
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0"
    b"\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
)


class Subject:
    def __init__(self, lab, folder):
        self.lab = lab
        self.ready = lab.ready["dropbox"]
        proxies = {"https": lab.proxy, "http": lab.proxy}
        self.session = dropbox.create_session(proxies=proxies, ca_certs=str(lab.certificate))
        options = {"session": self.session, "max_retries_on_error": 0}
        self.box = dropbox.Dropbox(self.ready["accessToken"], **options)
        self.late = dropbox.Dropbox(
            "ended",
            oauth2_refresh_token=self.ready["refreshToken"],
            oauth2_access_token_expiration=datetime.datetime(2020, 1, 1),
            app_key="app",
            **options,
        )
        self.cursor = None

    def names(self, path="", **options):
        """Lists a folder to its end; returns the entries by their paths."""
        page = self.box.files_list_folder(path, **options)
        entries = list(page.entries)
        while page.has_more:
            page = self.box.files_list_folder_continue(page.cursor)
            entries += page.entries
        self.cursor = page.cursor
        return {entry.path_lower: entry for entry in entries}

    def news(self):
        """Returns what has changed since the listing before, in order."""
        entries, has_more = [], True
        while has_more:
            page = self.box.files_list_folder_continue(self.cursor)
            entries += page.entries
            self.cursor, has_more = page.cursor, page.has_more
        return entries

    def contents(self, path):
        return self.box.files_download(path)[1].content

    def post(self, host, route, argument, token=True, **headers):
        """Makes a call by hand, with an argument that the SDK would not send."""
        fields = {"Content-Type": "application/json"} | headers
        if token:
            fields["Authorization"] = f"Bearer {self.ready['accessToken']}"
        url = f"https://{host}.dropboxapi.com/2/{route}"
        return self.lab.request("POST", url, json.dumps(argument).encode(), fields)


def fails(kind, call, *arguments, **options):
    """Makes a call that has to fail; returns the error."""
    try:
        result = call(*arguments, **options)
    except exceptions.DropboxException as error:
        assert isinstance(error, kind), f"it failed with {error}"
        return error
    raise AssertionError(f"it returned {result}")


def refused(call, *arguments, **options):
    """Makes a call that the route has to refuse; returns the reason."""
    return fails(exceptions.ApiError, call, *arguments, **options).error


@check("knows the account")
def account(subject):
    account = subject.box.users_get_current_account()
    assert account.account_id.startswith("dbid:") and len(account.account_id) == 40, account.account_id
    assert account.email and account.name.display_name and account.root_info.root_namespace_id


@check("uploads a file, with its date, hash and size")
def upload(subject):
    data = judging.pattern(1000)
    file = subject.box.files_upload(data, "/Docs/One.txt", client_modified=DATE)
    equal((file.name, file.size, file.client_modified), ("One.txt", 1000, DATE))
    equal((file.content_hash, file.path_lower), (judging.content_hash(data), "/docs/one.txt"))
    equal(subject.contents("/docs/ONE.txt"), data)
    equal(subject.box.files_get_metadata("/Docs/One.txt"), subject.box.files_download("/Docs/One.txt")[0])
    assert abs(file.server_modified - datetime.datetime.utcnow()) < datetime.timedelta(minutes=10), file.server_modified


@check("refuses what is in the way, and keeps it")
def conflict(subject):
    reason = refused(subject.box.files_upload, b"other", "/Docs/One.txt").get_path().reason
    assert reason.is_conflict() and reason.get_conflict().is_file(), reason
    equal(subject.contents("/Docs/One.txt"), judging.pattern(1000))
    folder = refused(subject.box.files_upload, b"other", "/Docs", mode=OVERWRITE).get_path().reason
    assert folder.get_conflict().is_folder(), folder
    same = subject.box.files_upload(judging.pattern(1000), "/Docs/One.txt")
    equal(same.rev, subject.box.files_get_metadata("/Docs/One.txt").rev)
    refused(subject.box.files_upload, judging.pattern(1000), "/Docs/One.txt", strict_conflict=True)


@check("gives a copy another name where it is asked to")
def autorename(subject):
    file = subject.box.files_upload(b"other", "/Docs/One.txt", autorename=True)
    equal(file.name, "One (1).txt")
    equal(subject.contents("/Docs/One (1).txt"), b"other")
    folder = subject.box.files_create_folder_v2("/Docs", autorename=True).metadata
    equal(folder.name, "Docs (1)")
    subject.box.files_delete_v2("/Docs (1)")


@check("replaces a file, and only the revision that is meant")
def replace(subject):
    first = subject.box.files_get_metadata("/Docs/One.txt")
    second = subject.box.files_upload(b"second", "/Docs/One.txt", mode=files.WriteMode.update(first.rev))
    equal(second.id, first.id)
    assert second.rev != first.rev
    refused(subject.box.files_upload, b"third", "/Docs/One.txt", mode=files.WriteMode.update(first.rev))
    equal(subject.contents("/Docs/One.txt"), b"second")
    subject.box.files_upload(b"fourth", "/Docs/One.txt", mode=OVERWRITE)
    equal(subject.contents("/Docs/One.txt"), b"fourth")


@check("checks the hash that a client sends along")
def sent_hash(subject):
    wrong = judging.content_hash(b"something else")
    error = refused(subject.box.files_upload, b"data", "/hash", content_hash=wrong)
    assert error.is_content_hash_mismatch(), error
    assert refused(subject.box.files_get_metadata, "/hash").get_path().is_not_found()


@check("uploads in a session, part by part")
def session(subject):
    data = judging.pattern(300_000, 3)
    start = subject.box.files_upload_session_start(data[:100_000])
    cursor = files.UploadSessionCursor(start.session_id, 100_000)
    subject.box.files_upload_session_append_v2(data[100_000:200_000], cursor)
    wrong = refused(subject.box.files_upload_session_append_v2, b"again", cursor)
    equal(wrong.get_incorrect_offset().correct_offset, 200_000)
    cursor.offset = 200_000
    file = subject.box.files_upload_session_finish(
        data[200_000:], cursor, files.CommitInfo("/Docs/Big", client_modified=DATE)
    )
    equal((file.size, file.content_hash, file.client_modified), (300_000, judging.content_hash(data), DATE))
    equal(subject.contents("/Docs/Big"), data)
    gone = refused(subject.box.files_upload_session_append_v2, b"", cursor)
    assert gone.is_not_found(), gone


@check("uploads parts of one file side by side")
def concurrent(subject):
    part = 4 << 20
    data = judging.pattern(1 << 10, 5) * 8192 + b"end"
    kind = files.UploadSessionType.concurrent
    identifier = subject.box.files_upload_session_start(b"", session_type=kind).session_id
    for offset in (part, 0, 2 * part):
        cursor = files.UploadSessionCursor(identifier, offset)
        subject.box.files_upload_session_append_v2(data[offset : offset + part], cursor, close=offset == 2 * part)
    cursor = files.UploadSessionCursor(identifier, len(data))
    file = subject.box.files_upload_session_finish(b"", cursor, files.CommitInfo("/Docs/Parts"))
    equal((file.size, file.content_hash), (len(data), judging.content_hash(data)))


@check("commits many files at once, each with a result in its place")
def batch(subject):
    entries = []
    for number in range(5):
        data = f"file {number}".encode()
        start = subject.box.files_upload_session_start(data, close=True)
        cursor = files.UploadSessionCursor(start.session_id, len(data))
        commit = files.CommitInfo(f"/Many/{number}" if number != 3 else "/Docs", mode=OVERWRITE)
        entries.append(files.UploadSessionFinishArg(cursor, commit))
    results = subject.box.files_upload_session_finish_batch_v2(entries).entries
    equal([result.is_success() for result in results], [True, True, True, False, True])
    equal([results[number].get_success().name for number in (0, 1, 2, 4)], ["0", "1", "2", "4"])
    equal(subject.contents("/Many/4"), b"file 4")


@check("lists page by page, below a folder too, and keeps the case of names")
def listing(subject):
    names = subject.names("", recursive=True)
    expected = {"/docs", "/docs/one.txt", "/docs/one (1).txt", "/docs/big", "/docs/parts", "/many"}
    equal(set(names), expected | {f"/many/{number}" for number in (0, 1, 2, 4)})
    equal(names["/docs/one.txt"].name, "One.txt")
    assert names["/docs/one.txt"].path_display.endswith("One.txt"), names["/docs/one.txt"].path_display
    assert isinstance(names["/docs"], files.FolderMetadata) and isinstance(names["/docs/big"], files.FileMetadata)
    equal(set(subject.names("/Docs")), {name for name in expected if name.startswith("/docs/")})
    page = subject.box.files_list_folder("/Docs", limit=1)
    assert len(page.entries) == 1 and page.has_more, page


@check("downloads ranges")
def ranges(subject):
    data = judging.pattern(300_000, 3)
    link = subject.box.files_get_temporary_link("/Docs/Big")
    equal(link.metadata.size, 300_000)
    status, fields, part = subject.lab.request("GET", link.link, headers={"Range": "bytes=1000-1049"})
    equal((status, fields["Content-Range"], part), (206, "bytes 1000-1049/300000", data[1000:1050]))
    argument = {"Dropbox-API-Arg": json.dumps({"path": "/Docs/Big"}), "Range": "bytes=299990-"}
    argument["Authorization"] = f"Bearer {subject.ready['accessToken']}"
    url = "https://content.dropboxapi.com/2/files/download"
    status, fields, part = subject.lab.request("POST", url, b"", argument | {"Content-Type": "text/plain"})
    equal((status, part), (206, data[299_990:]))
    equal(json.loads(fields["Dropbox-API-Result"])["name"], "Big")
    status, _, _ = subject.lab.request("GET", link.link, headers={"Range": "bytes=300000-"})
    equal(status, 416)


@check("copies, renames and moves; a moved file keeps its id")
def relocate(subject):
    first = subject.box.files_get_metadata("/Docs/One.txt")
    copy = subject.box.files_copy_v2("/Docs/One.txt", "/Docs/Two.txt").metadata
    assert copy.id != first.id
    equal((copy.name, copy.content_hash), ("Two.txt", first.content_hash))
    equal(subject.contents("/Docs/One.txt"), subject.contents("/Docs/Two.txt"))
    moved = subject.box.files_move_v2("/Docs/One.txt", "/Moved/Here.txt").metadata
    equal((moved.id, moved.name, moved.path_lower), (first.id, "Here.txt", "/moved/here.txt"))
    assert refused(subject.box.files_get_metadata, "/Docs/One.txt").get_path().is_not_found()
    equal(subject.box.files_get_metadata(first.id).path_lower, "/moved/here.txt")
    taken = refused(subject.box.files_move_v2, "/Docs/Two.txt", "/Moved/Here.txt")
    assert taken.get_to().is_conflict(), taken
    folder = subject.box.files_move_v2("/Many", "/Docs/Many").metadata
    assert isinstance(folder, files.FolderMetadata)
    equal(subject.contents("/Docs/Many/4"), b"file 4")


@check("does jobs, and reports when they are done")
def jobs(subject):
    pairs = [files.RelocationPath("/Docs/Two.txt", f"/Copies/{number}") for number in range(2)]
    pairs.append(files.RelocationPath("/nothing", "/Copies/none"))
    launch = subject.box.files_copy_batch_v2(pairs)
    done = finish(launch, subject.box.files_copy_batch_check_v2)
    equal([entry.is_success() for entry in done.entries], [True, True, False])
    launch = subject.box.files_delete_batch([files.DeleteArg(f"/Copies/{number}") for number in range(2)])
    done = finish(launch, subject.box.files_delete_batch_check)
    equal([entry.is_success() for entry in done.entries], [True, True])
    equal(set(subject.names("/Copies")), set())


def finish(launch, poll):
    """Polls a job until it is done; returns its result."""
    if launch.is_complete():
        return launch.get_complete()
    for _ in range(10):
        status = poll(launch.get_async_job_id())
        if status.is_complete():
            return status.get_complete()
        assert status.is_in_progress(), status
    raise AssertionError("the job does not end")


@check("reports what has changed since a cursor, deletions included, and nothing twice")
def changes(subject):
    subject.names("", recursive=True)
    equal(subject.news(), [])
    cursor = subject.cursor
    subject.box.files_upload(b"news", "/Docs/News")
    subject.box.files_delete_v2("/Copies")
    poll = subject.box.files_list_folder_longpoll(cursor, timeout=30)
    assert poll.changes, "the long poll saw no change"
    news = subject.news()
    equal({(type(entry).__name__, entry.path_lower) for entry in news}, {
        ("FileMetadata", "/docs/news"), ("DeletedMetadata", "/copies"),
    })
    equal(subject.news(), [])
    latest = subject.box.files_list_folder_get_latest_cursor("", recursive=True).cursor
    equal(subject.box.files_list_folder_continue(latest).entries, [])


@check("keeps what was deleted, and older revisions, and brings them back")
def revisions(subject):
    first = subject.box.files_upload(b"first", "/Rev")
    second = subject.box.files_upload(b"second", "/Rev", mode=OVERWRITE)
    listed = subject.box.files_list_revisions("/Rev").entries
    equal([entry.rev for entry in listed], [second.rev, first.rev])
    equal(subject.contents(f"rev:{first.rev}"), b"first")
    equal(subject.box.files_restore("/Rev", first.rev).size, 5)
    equal(subject.contents("/Rev"), b"first")
    deleted = subject.box.files_delete_v2("/Rev").metadata
    equal(deleted.name, "Rev")
    assert refused(subject.box.files_download, "/Rev").get_path().is_not_found()
    assert refused(subject.box.files_delete_v2, "/Rev").get_path_lookup().is_not_found()
    assert "/rev" not in subject.names("") and "/rev" in subject.names("", include_deleted=True)
    assert subject.box.files_list_revisions("/Rev").is_deleted
    subject.box.files_restore("/Rev", second.rev)
    equal(subject.contents("/Rev"), b"second")


@check("searches, page by page")
def search(subject):
    for number in range(5):
        subject.box.files_upload(b"", f"/Docs/Needle {number}.txt")
    page = subject.box.files_search_v2("needle")
    matches = list(page.matches)
    while page.has_more:
        page = subject.box.files_search_continue_v2(page.cursor)
        matches += page.matches
    found = sorted(match.metadata.get_metadata().name for match in matches)
    equal(found, [f"Needle {number}.txt" for number in range(5)])
    options = files.SearchOptions(path="/Docs", filename_only=True, max_results=1)
    equal(len(subject.box.files_search_v2("needle 3", options).matches), 1)


@check("draws thumbnails, one and many")
def thumbnails(subject):
    subject.box.files_upload(PNG, "/Docs/Picture.png")
    file, answer = subject.box.files_get_thumbnail_v2(files.PathOrLink.path("/Docs/Picture.png"))
    equal(file.file_metadata.name, "Picture.png")
    assert len(answer.content) > 20, "the thumbnail is empty"
    entries = [files.ThumbnailArg("/Docs/Picture.png"), files.ThumbnailArg("/Docs/Big")]
    results = subject.box.files_get_thumbnail_batch(entries).entries
    equal([result.is_success() for result in results], [True, False])
    assert results[0].get_success().thumbnail


@check("makes links, finds them again, and takes them back")
def links(subject):
    made = subject.box.sharing_create_shared_link_with_settings("/Docs/Two.txt")
    assert made.url.startswith("https://") and isinstance(made, sharing.FileLinkMetadata), made
    equal((made.name, made.path_lower), ("Two.txt", "/docs/two.txt"))
    again = refused(subject.box.sharing_create_shared_link_with_settings, "/Docs/Two.txt")
    assert again.is_shared_link_already_exists(), again
    listed = subject.box.sharing_list_shared_links("/Docs/Two.txt", direct_only=True).links
    equal([link.url for link in listed], [made.url])
    equal(subject.box.sharing_get_shared_link_metadata(made.url).name, "Two.txt")
    subject.box.sharing_revoke_shared_link(made.url)
    equal(subject.box.sharing_list_shared_links("/Docs/Two.txt", direct_only=True).links, [])


@check("copies by reference")
def references(subject):
    reference = subject.box.files_copy_reference_get("/Docs/Two.txt")
    saved = subject.box.files_copy_reference_save(reference.copy_reference, "/Saved").metadata
    equal(saved.name, "Saved")
    equal(subject.contents("/Saved"), subject.contents("/Docs/Two.txt"))


@check("counts the space that files take")
def usage(subject):
    before = subject.box.users_get_space_usage()
    subject.box.files_upload(bytes(1234), "/Docs/Zeros")
    after = subject.box.users_get_space_usage()
    equal(after.used - before.used, 1234)
    assert after.allocation.get_individual().allocated > after.used


@check("refuses names, dates and arguments that have no right form")
def malformed(subject):
    reason = refused(subject.box.files_upload, b"", "/Docs/desktop.ini").get_path().reason
    assert reason.is_disallowed_name(), reason
    status, _, body = subject.post("api", "files/list_folder", {"path": "/"})
    equal(status, 400, body)
    status, _, body = subject.post("api", "files/list_folder", {"path": "", "unknown": 1})
    equal(status, 400, body)
    status, _, body = subject.post("api", "files/list_folder", {"path": "", "limit": "3"})
    equal(status, 400, body)
    status, _, body = subject.post("api", "files/list_folder", {})
    equal(status, 400, body)
    status, _, body = subject.post("notify", "files/list_folder/longpoll", {"cursor": subject.cursor})
    equal(status, 400, "a long poll with a token")
    status, _, body = subject.post("content", "files/list_folder", {"path": ""})
    equal(status, 400, "on another host")


@check("refuses a token that is not one, and forgets one that was given back")
def tokens(subject):
    stranger = subject.box.clone(oauth2_access_token="nobody", session=subject.session)
    error = fails(exceptions.AuthError, stranger.files_list_folder, "")
    assert error.error.is_invalid_access_token(), error
    status, _, body = subject.post("api", "files/list_folder", {"path": ""}, token=False)
    assert status in (400, 401), body


@check("refreshes a token that has ended, and refuses one that was never given")
def refresh(subject):
    equal(subject.late.files_get_metadata("/Docs/Big").name, "Big")
    assert subject.late._oauth2_access_token != "ended"
    assert subject.late._oauth2_access_token_expiration > datetime.datetime.utcnow()
    form = b"grant_type=refresh_token&refresh_token=none&client_id=app"
    fields = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, body = subject.lab.request("POST", "https://api.dropboxapi.com/oauth2/token", form, fields)
    equal((status, json.loads(body)["error"]), (400, "invalid_grant"))


@check("knows the path root of a home")
def root(subject):
    namespace = subject.box.users_get_current_account().root_info.root_namespace_id
    rooted = subject.box.with_path_root(common.PathRoot.root(namespace))
    equal(rooted.files_get_metadata("/Docs/Big").name, "Big")
    other = subject.box.with_path_root(common.PathRoot.root("1234567"))
    fails(exceptions.PathRootError, other.files_get_metadata, "/Docs/Big")


judging.run("Dropbox's SDK", Subject)
