/// Documents as servers write them.
enum MultistatusText {
    /// A folder with two files and a folder, in Apache's style: prefixes on the way, two `propstat`s, small hex digits.
    static let folder = """
        <?xml version="1.0" encoding="utf-8"?>
        <D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
        <D:response xmlns:lp1="DAV:" xmlns:lp2="http://apache.org/dav/props/">
        <D:href>/dav/photos/</D:href>
        <D:propstat><D:prop><lp1:resourcetype><D:collection/></lp1:resourcetype>
        <lp1:creationdate>2026-01-31T09:30:00Z</lp1:creationdate>
        <lp1:getlastmodified>Sat, 31 Jan 2026 09:30:00 GMT</lp1:getlastmodified>
        <lp1:getetag>"1000-6120"</lp1:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
        <D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
        </D:response>
        <D:response xmlns:lp1="DAV:"><D:href>/dav/photos/caf%c3%a9%20%26%20tea.jpg</D:href>
        <D:propstat><D:prop><lp1:resourcetype/><lp1:getcontentlength>1234567</lp1:getcontentlength>
        <lp1:getlastmodified>Sun, 01 Feb 2026 12:00:01 GMT</lp1:getlastmodified>
        <lp1:getetag>W/&quot;a&amp;b&#x3c;&quot;</lp1:getetag><D:getcontenttype>image/jpeg</D:getcontenttype>
        <D:displayname><![CDATA[caf\u{E9} & <tea>]]></D:displayname></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
        <D:response><D:href>/dav/photos/b.txt</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength/>
        <D:getlastmodified></D:getlastmodified><D:getetag/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
        </D:response>
        <D:response><D:href>/dav/photos/2025/</D:href><D:propstat><D:prop>
        <D:resourcetype><D:collection/></D:resourcetype><D:getcontentlength>4096</D:getcontentlength></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
        </D:multistatus>
        """

    /// A multistatus with something in it.
    static func multistatus(_ content: String) -> String {
        "<d:multistatus xmlns:d=\"DAV:\" xmlns:x=\"urn:x\">\(content)</d:multistatus>"
    }

    /// One item of a listing.
    static func response(_ href: String, _ properties: String = "<d:resourcetype/>") -> String {
        """
        <d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>\
        <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        """
    }

    /// The properties of a folder.
    static let isFolder = "<d:resourcetype><d:collection/></d:resourcetype>"
}
