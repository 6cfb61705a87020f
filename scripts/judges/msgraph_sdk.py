"""Microsoft's own SDK for Python as a judge of the emulated Graph, and some requests that no SDK would make."""

import asyncio
import base64
import datetime
import json
import time
import urllib.parse

import judging
from judging import check, equal
from kiota_abstractions.authentication import (
    AccessTokenProvider,
    AllowedHostsValidator,
    BaseBearerTokenAuthenticationProvider,
)
from msgraph import GraphRequestAdapter, GraphServiceClient
from msgraph.generated.drives.item.items.item.create_link.create_link_post_request_body import (
    CreateLinkPostRequestBody,
)
from msgraph.generated.drives.item.items.item.create_upload_session.create_upload_session_post_request_body import (
    CreateUploadSessionPostRequestBody,
)
from msgraph.generated.models.drive_item import DriveItem
from msgraph.generated.models.drive_item_uploadable_properties import DriveItemUploadableProperties
from msgraph.generated.models.file_system_info import FileSystemInfo
from msgraph.generated.models.folder import Folder
from msgraph.generated.models.item_reference import ItemReference
from msgraph.generated.models.o_data_errors.o_data_error import ODataError

API = "https://graph.microsoft.com/v1.0"
CONFLICT = "@microsoft.graph.conflictBehavior"
DATE = datetime.datetime(2021, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc)
UNIT = 320 * 1024
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0"
    b"\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
)


class Tokens(AccessTokenProvider):
    """The token of the account, for the hosts of Graph only, as Microsoft's own providers have it."""

    def __init__(self, token):
        self.token = token
        self.hosts = AllowedHostsValidator(["graph.microsoft.com"])

    async def get_authorization_token(self, uri, additional_authentication_context=None):
        return self.token if self.hosts.is_url_host_valid(uri) else ""

    def get_allowed_hosts_validator(self):
        return self.hosts


class Subject:
    def __init__(self, lab, folder):
        self.lab = lab
        self.ready = lab.ready["graph"]
        self.drive_id = self.ready["driveID"]
        self.loop = asyncio.new_event_loop()
        self.client = self.make_client(self.ready["accessToken"])
        self.drive = self.client.drives.by_drive_id(self.drive_id)
        self.ids = {}

    def make_client(self, token):
        provider = BaseBearerTokenAuthenticationProvider(Tokens(token))
        return GraphServiceClient(request_adapter=GraphRequestAdapter(provider))

    def do(self, call):
        return self.loop.run_until_complete(call)

    def item(self, identifier):
        return self.drive.items.by_drive_item_id(identifier)

    def at(self, path, operation=""):
        """Returns the address of an item by its path."""
        return f"{API}/drives/{self.drive_id}/root:/{urllib.parse.quote(path)}:{operation}"

    def getting(self, path):
        return self.item("any").with_url(self.at(path)).get()

    def get(self, path):
        return self.do(self.getting(path))

    def upload(self, path, data):
        return self.do(self.item("any").content.with_url(self.at(path, "/content")).put(data))

    def start_session(self, path, properties=None):
        body = CreateUploadSessionPostRequestBody(item=properties)
        builder = self.item("any").create_upload_session.with_url(self.at(path, "/createUploadSession"))
        return self.do(builder.post(body))

    def contents(self, identifier):
        return self.do(self.item(identifier).content.get())

    def children(self, identifier):
        """Lists a folder to its end; returns the items by their names, and the number of pages."""
        builder = self.item(identifier).children
        page = self.do(builder.get())
        items, pages = list(page.value), 1
        while page.odata_next_link:
            page = self.do(builder.with_url(page.odata_next_link).get())
            items += page.value
            pages += 1
        return {item.name: item for item in items}, pages

    def make_folder(self, name, conflict="fail", parent="root"):
        body = DriveItem(name=name, folder=Folder(), additional_data={CONFLICT: conflict})
        return self.do(self.item(parent).children.post(body))

    def raw(self, method, path, body=None, token=True, **headers):
        """Makes a request by hand; returns the status, the fields and the JSON of the answer, if it is JSON."""
        fields = dict(headers)
        if token:
            fields["Authorization"] = f"Bearer {self.ready['accessToken']}"
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            fields["Content-Type"] = "application/json"
        url = path if path.startswith("https:") else API + path
        status, answered, data = self.lab.request(method, url, body, fields)
        try:
            return status, answered, json.loads(data) if data else None
        except ValueError:
            return status, answered, data


def refused(subject, call, status, code):
    """Makes a call that has to fail, with a status and a code of Microsoft's."""
    try:
        result = subject.do(call)
    except ODataError as error:
        equal((error.response_status_code, error.error.code), (status, code))
        return
    raise AssertionError(f"it returned {result}")


@check("knows the user and the drive")
def drive(subject):
    assert subject.do(subject.client.me.get()).id
    drive = subject.do(subject.client.me.drive.get())
    equal((drive.id, drive.drive_type), (subject.drive_id, subject.ready["driveType"]))
    assert drive.quota.total >= drive.quota.used and drive.quota.remaining is not None
    root = subject.do(subject.item("root").get())
    assert root.root is not None and root.folder is not None and root.id


@check("makes folders, refuses a name that is taken or gives another one")
def folders(subject):
    folder = subject.make_folder("Docs")
    subject.ids["Docs"] = folder.id
    assert folder.folder is not None and folder.file is None
    refused(subject, subject.item("root").children.post(taken("Docs", "fail")), 409, "nameAlreadyExists")
    refused(subject, subject.item("root").children.post(taken("DOCS", "fail")), 409, "nameAlreadyExists")
    other = subject.make_folder("Docs", "rename")
    equal(other.name, "Docs 1")
    subject.do(subject.item(other.id).delete())


def taken(name, conflict):
    return DriveItem(name=name, folder=Folder(), additional_data={CONFLICT: conflict})


@check("uploads a file, with its hash and size")
def upload(subject):
    data = judging.pattern(1000)
    item = subject.upload("Docs/One.txt", data)
    subject.ids["One"] = item.id
    equal((item.name, item.size, item.file.hashes.quick_xor_hash), ("One.txt", 1000, judging.quick_xor_hash(data)))
    equal(item.parent_reference.id, subject.ids["Docs"])
    equal(subject.contents(item.id), data)
    found = subject.get("docs/one.TXT")
    equal((found.id, found.name, found.size), (item.id, "One.txt", 1000))
    age = datetime.datetime.now(datetime.timezone.utc) - found.last_modified_date_time
    assert abs(age) < datetime.timedelta(minutes=10), found.last_modified_date_time
    status, _, made = subject.raw("PUT", f"/drives/{subject.drive_id}/root:/Docs/Two.txt:/content", b"two")
    equal((status, made["name"], made["size"]), (201, "Two.txt", 3))
    status, _, _ = subject.raw("PUT", f"/drives/{subject.drive_id}/root:/Docs/Two.txt:/content", b"two!")
    equal(status, 200)


@check("finds an item by the path that the SDK has percent-encoded as an id")
def encoded(subject):
    equal(subject.do(subject.item("root:/Docs/One.txt:").get()).id, subject.ids["One"])
    equal(subject.contents("root:/Docs/One.txt:"), judging.pattern(1000))


@check("refuses what is in the way, and keeps it")
def conflict(subject):
    path = f"/drives/{subject.drive_id}/root:/Docs/One.txt:/content?{CONFLICT}="
    status, _, error = subject.raw("PUT", path + "fail", b"other")
    equal((status, error["error"]["code"]), (409, "nameAlreadyExists"))
    equal(len(subject.contents(subject.ids["One"])), 1000)
    status, _, renamed = subject.raw("PUT", path + "rename", b"other")
    equal((status, renamed["name"], renamed["size"]), (201, "One 1.txt", 5))
    equal(len(subject.contents(subject.ids["One"])), 1000)


@check("replaces a file, and only the version that is meant")
def replace(subject):
    path = f"/drives/{subject.drive_id}/items/{subject.ids['One']}"
    _, _, first = subject.raw("GET", path)
    assert first["eTag"] and first["cTag"]
    status, _, second = subject.raw("PUT", path + "/content", b"second", **{"If-Match": first["eTag"]})
    equal((status, second["id"], second["size"]), (200, subject.ids["One"], 6))
    assert second["eTag"] != first["eTag"] and second["cTag"] != first["cTag"]
    status, _, _ = subject.raw("PUT", path + "/content", b"third", **{"If-Match": first["eTag"]})
    equal(status, 412)
    status, _, _ = subject.raw("PATCH", path, {"name": "Three.txt"}, **{"If-Match": first["eTag"]})
    equal(status, 412)
    status, _, _ = subject.raw("DELETE", path, **{"If-Match": first["eTag"]})
    equal(status, 412)
    equal(subject.contents(subject.ids["One"]), b"second")


@check("uploads in a session, fragment by fragment, without an access token")
def session(subject):
    data = judging.pattern(2 * UNIT + 1000, 3)
    properties = DriveItemUploadableProperties(
        file_system_info=FileSystemInfo(last_modified_date_time=DATE, created_date_time=DATE),
        additional_data={CONFLICT: "fail"},
    )
    made = subject.start_session("Docs/Big", properties)
    assert made.upload_url.startswith("https://") and "graph.microsoft.com" not in made.upload_url, made.upload_url
    assert made.expiration_date_time > datetime.datetime.now(datetime.timezone.utc)

    def send(first, last, **headers):
        fields = {"Content-Range": f"bytes {first}-{last}/{len(data)}"} | headers
        part = data[first : last + 1]
        return subject.raw("PUT", made.upload_url, part, token=bool(headers), **fields)

    def expected():
        status, _, state = subject.raw("GET", made.upload_url, token=False)
        equal(status, 200)
        return [entry.split("-")[0] for entry in state["nextExpectedRanges"]]

    equal(expected(), ["0"])
    status, _, _ = send(0, UNIT - 1, Authorization="x")
    equal(status, 401, "a fragment with an access token")
    status, _, _ = send(0, 999)
    equal(status, 400, "a fragment that is no multiple of 320 KiB")
    status, _, state = send(0, UNIT - 1)
    equal((status, [entry.split("-")[0] for entry in state["nextExpectedRanges"]]), (202, [str(UNIT)]))
    equal(expected(), [str(UNIT)])
    status, _, _ = send(0, UNIT - 1)
    equal(status, 416, "a fragment that is there already")
    status, _, _ = send(UNIT, 2 * UNIT - 1)
    equal(status, 202)
    status, _, item = send(2 * UNIT, len(data) - 1)
    equal((status, item["name"], item["size"]), (201, "Big", len(data)))
    equal(item["file"]["hashes"]["quickXorHash"], judging.quick_xor_hash(data))
    subject.ids["Big"] = item["id"]
    found = subject.get("Docs/Big")
    equal(found.file_system_info.last_modified_date_time, DATE)
    equal(subject.contents(found.id), data)
    status, _, _ = subject.raw("GET", made.upload_url, token=False)
    equal(status, 404, "the session is over")


@check("cancels an upload session")
def cancel(subject):
    made = subject.start_session("Docs/Never")
    status, _, _ = subject.raw("DELETE", made.upload_url, token=False)
    equal(status, 204)
    status, _, _ = subject.raw("GET", made.upload_url, token=False)
    equal(status, 404)
    refused(subject, subject.getting("Docs/Never"), 404, "itemNotFound")


@check("lists page by page, and keeps the case of names")
def listing(subject):
    for number in range(5):
        subject.upload(f"Docs/Needle {number}.txt", f"file {number}".encode())
    names, pages = subject.children(subject.ids["Docs"])
    expected = {"One.txt", "Two.txt", "One 1.txt", "Big"} | {f"Needle {number}.txt" for number in range(5)}
    equal(set(names), expected)
    assert pages >= 3, "there was no further page"
    equal({item.parent_reference.id for item in names.values()}, {subject.ids["Docs"]})
    assert all(item.file is not None and item.folder is None for item in names.values())
    folder = subject.do(subject.item(subject.ids["Docs"]).get())
    equal((folder.folder.child_count, folder.size is not None), (len(expected), True))
    query = "?$select=id,name&$top=2"
    _, _, page = subject.raw("GET", f"/drives/{subject.drive_id}/items/{folder.id}/children{query}")
    assert len(page["value"]) <= 2 and "size" not in page["value"][0], page


@check("downloads ranges from an address that needs no access token")
def ranges(subject):
    data = judging.pattern(2 * UNIT + 1000, 3)
    path = f"/drives/{subject.drive_id}/items/{subject.ids['Big']}/content"
    status, fields, _ = subject.raw("GET", path)
    equal(status, 302)
    location = fields["Location"]
    equal(subject.raw("GET", location)[0], 401, "with an access token")
    for asked, status, part, said in [
        ("bytes=1000-1049", 206, data[1000:1050], f"bytes 1000-1049/{len(data)}"),
        (f"bytes={len(data) - 5}-", 206, data[-5:], f"bytes {len(data) - 5}-{len(data) - 1}/{len(data)}"),
    ]:
        found, fields, body = subject.lab.request("GET", location, headers={"Range": asked})
        equal((found, fields["Content-Range"], body), (status, said, part), asked)
    found, _, _ = subject.lab.request("GET", location, headers={"Range": f"bytes={len(data)}-"})
    equal(found, 416)


@check("copies, and says when that is done")
def copy(subject):
    path = f"/drives/{subject.drive_id}/items/{subject.ids['Big']}/copy"
    target = {"driveId": subject.drive_id, "id": subject.ids["Docs"]}
    status, fields, body = subject.raw("POST", path, {"parentReference": target, "name": "Copy"})
    equal((status, body), (202, None))
    monitor = fields["Location"]
    for _ in range(20):
        status, _, state = subject.raw("GET", monitor, token=False)
        assert status in (200, 202, 303), (status, state)
        if state["status"] == "completed":
            break
        assert state["status"] in ("notStarted", "inProgress"), state
        time.sleep(0.05)
    equal(state["status"], "completed")
    found = subject.do(subject.item(state["resourceId"]).get())
    original = subject.do(subject.item(subject.ids["Big"]).get())
    equal((found.name, found.size), ("Copy", original.size))
    equal(found.file.hashes.quick_xor_hash, original.file.hashes.quick_xor_hash)
    assert found.id != original.id


@check("renames and moves; the item keeps its id")
def move(subject):
    renamed = subject.do(subject.item(subject.ids["One"]).patch(DriveItem(name="Renamed.txt")))
    equal((renamed.id, renamed.name), (subject.ids["One"], "Renamed.txt"))
    target = subject.make_folder("Moved")
    reference = ItemReference(id=target.id)
    moved = subject.do(subject.item(subject.ids["One"]).patch(DriveItem(parent_reference=reference)))
    equal((moved.id, moved.parent_reference.id), (subject.ids["One"], target.id))
    equal(set(subject.children(target.id)[0]), {"Renamed.txt"})
    refused(subject, subject.getting("Docs/One.txt"), 404, "itemNotFound")
    refused(subject, subject.item(subject.ids["Big"]).patch(DriveItem(name="TWO.txt")), 409, "nameAlreadyExists")
    cased = subject.do(subject.item(subject.ids["One"]).patch(DriveItem(name="RENAMED.txt")))
    equal(cased.name, "RENAMED.txt")


@check("sets dates")
def dates(subject):
    info = FileSystemInfo(last_modified_date_time=DATE)
    subject.do(subject.item(subject.ids["One"]).patch(DriveItem(file_system_info=info)))
    found = subject.do(subject.item(subject.ids["One"]).get())
    equal(found.file_system_info.last_modified_date_time, DATE)
    assert found.last_modified_date_time is not None


@check("reports what has changed, deletions included, and nothing twice")
def changes(subject):
    link, items = delta(subject, f"{API}/drives/{subject.drive_id}/root/delta")
    assert {"Docs", "Big", "RENAMED.txt"} <= {item.get("name") for item in items.values()}
    link, items = delta(subject, link)
    equal([item for item in items.values() if "root" not in item], [])
    before = link
    fresh = subject.upload("Docs/News", b"news")
    gone = subject.get("Docs/Copy").id
    subject.do(subject.item(gone).delete())
    link, items = delta(subject, link)
    equal(items[fresh.id]["name"], "News")
    assert items[fresh.id]["parentReference"]["id"] == subject.ids["Docs"], items[fresh.id]
    assert "deleted" in items[gone], items[gone]
    assert link != before
    _, items = delta(subject, link)
    equal([item for item in items.values() if "root" not in item], [])
    _, items = delta(subject, f"{API}/drives/{subject.drive_id}/root/delta?token=latest")
    equal(items, {})
    page = subject.do(subject.item("root").delta.get())
    assert page.value and (page.odata_next_link or page.odata_delta_link)


def delta(subject, url):
    """Follows a feed to its end; returns the link to go on with, and of each item the last occurrence."""
    items = {}
    for _ in range(50):
        status, _, page = subject.raw("GET", url)
        equal(status, 200, url)
        items |= {item["id"]: item for item in page["value"]}
        if "@odata.deltaLink" in page:
            return page["@odata.deltaLink"], items
        url = page["@odata.nextLink"]
    raise AssertionError("the feed does not end")


@check("deletes, and says that it is gone")
def delete(subject):
    folder = subject.make_folder("Full")
    subject.upload("Full/inner", b"inner")
    status, _, body = subject.raw("DELETE", f"/drives/{subject.drive_id}/items/{folder.id}")
    equal((status, body), (204, None))
    refused(subject, subject.item(folder.id).get(), 404, "itemNotFound")
    refused(subject, subject.getting("Full/inner"), 404, "itemNotFound")
    refused(subject, subject.item(folder.id).delete(), 404, "itemNotFound")


@check("searches")
def search(subject):
    builder = subject.item("root").search_with_q("needle")
    page = subject.do(builder.get())
    found = list(page.value)
    while page.odata_next_link:
        page = subject.do(builder.with_url(page.odata_next_link).get())
        found += page.value
    equal(sorted(item.name for item in found), [f"Needle {number}.txt" for number in range(5)])


@check("makes links, finds them again, follows them, and takes them back")
def links(subject):
    item = subject.item(subject.ids["One"])
    made = subject.do(item.create_link.post(CreateLinkPostRequestBody(type="view", scope="anonymous")))
    assert made.link.web_url.startswith("https://"), made.link.web_url
    equal((made.link.type, made.link.scope), ("view", "anonymous"))
    again = subject.do(item.create_link.post(CreateLinkPostRequestBody(type="view", scope="anonymous")))
    equal((again.id, again.link.web_url), (made.id, made.link.web_url))
    share = "u!" + base64.urlsafe_b64encode(made.link.web_url.encode()).decode().rstrip("=")
    status, _, found = subject.raw("GET", f"/shares/{share}/driveItem")
    equal((status, found["id"]), (200, subject.ids["One"]))
    listed = subject.do(item.permissions.get()).value
    assert made.id in {permission.id for permission in listed}, listed
    subject.do(item.permissions.by_permission_id(made.id).delete())
    listed = subject.do(item.permissions.get()).value
    assert made.id not in {permission.id for permission in listed}, listed


@check("keeps older versions, and brings them back")
def versions(subject):
    first = subject.upload("Docs/Version.txt", b"first")
    subject.do(subject.item(first.id).content.put(b"second"))
    listed = subject.do(subject.item(first.id).versions.get()).value
    equal([version.size for version in listed], [6, 5])
    older = subject.item(first.id).versions.by_drive_item_version_id(listed[1].id)
    equal(subject.do(older.content.get()), b"first")
    subject.do(older.restore_version.post())
    equal(subject.contents(first.id), b"first")


@check("draws thumbnails")
def thumbnails(subject):
    picture = subject.upload("Docs/Picture.png", PNG)
    sets = subject.do(subject.item(picture.id).thumbnails.get()).value
    assert sets and sets[0].small.url and sets[0].large.url, sets
    status, _, body = subject.lab.request("GET", sets[0].small.url)
    assert status == 200 and len(body) > 20, status
    equal(subject.do(subject.item(subject.ids["Big"]).thumbnails.get()).value, [])


@check("answers many requests in one")
def batch(subject):
    requests = [
        {"id": "1", "method": "GET", "url": f"/drives/{subject.drive_id}/items/{subject.ids['Big']}"},
        {"id": "2", "method": "GET", "url": f"/drives/{subject.drive_id}/items/nothing"},
    ]
    status, _, answers = subject.raw("POST", "/$batch", {"requests": requests})
    equal(status, 200)
    found = {answer["id"]: answer["status"] for answer in answers["responses"]}
    equal(found, {"1": 200, "2": 404})


@check("refuses names, addresses and options that have no right form")
def malformed(subject):
    for name in ("a:b", "a|b", "a?b", "tail ", "tail."):
        status, _, _ = subject.raw(
            "POST", f"/drives/{subject.drive_id}/items/root/children", {"name": name, "folder": {}}
        )
        equal(status, 400, name)
    status, _, _ = subject.raw("GET", f"/drives/{subject.drive_id}/root/children?$unknown=1")
    equal(status, 400)
    status, _, error = subject.raw("GET", "/me/drive/root", token=False)
    equal(status, 401)
    assert error["error"]["code"] and error["error"]["message"] and error["error"]["innerError"]["request-id"], error


@check("refuses a token that has ended, and gives a new one for a refresh token")
def refresh(subject):
    stranger = subject.make_client("nobody")
    refused(subject, stranger.me.drive.get(), 401, "InvalidAuthenticationToken")
    url = "https://login.microsoftonline.com/common/oauth2/v2.0/token"
    fields = {"Content-Type": "application/x-www-form-urlencoded"}
    form = "grant_type=refresh_token&client_id=app&scope=Files.ReadWrite.All%20offline_access&refresh_token="
    status, _, answer = subject.raw("POST", url, (form + subject.ready["refreshToken"]).encode(), token=False, **fields)
    equal((status, answer["token_type"].lower()), (200, "bearer"))
    assert answer["expires_in"] > 0 and answer["refresh_token"], answer
    fresh = subject.make_client(answer["access_token"])
    equal(subject.do(fresh.me.drive.get()).id, subject.drive_id)
    status, _, answer = subject.raw("POST", url, (form + "none").encode(), token=False, **fields)
    equal((status, answer["error"]), (400, "invalid_grant"))


judging.run("Microsoft's SDK", Subject)
