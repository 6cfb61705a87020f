import FerryMediaProperties
import FerryMediaWire
import Foundation
import Testing

@Suite("What pictures say about themselves")
struct PicturePeerTests {
    /// The tags that a careful photographer's program writes.
    private static let tags = [
        "-EXIF:Make=Ferry Optical", "-EXIF:Model=F 1", "-EXIF:LensModel=Zoom 24-70 f/2.8", "-EXIF:Artist=Ann Öberg",
        "-EXIF:Copyright=© Ann", "-EXIF:DateTimeOriginal=2024:05:01 12:30:15", "-EXIF:SubSecTimeOriginal=25",
        "-EXIF:OffsetTimeOriginal=+02:00", "-EXIF:GPSLatitude=48.858222", "-EXIF:GPSLatitudeRef=N",
        "-EXIF:GPSLongitude=2.2945", "-EXIF:GPSLongitudeRef=W", "-EXIF:GPSAltitude=35.5",
        "-EXIF:GPSAltitudeRef=Below Sea Level", "-EXIF:GPSAreaInformation=Champ de Mars", "-EXIF:FNumber=2.8",
        "-EXIF:ExposureTime=1/250", "-EXIF:ISO=400", "-EXIF:FocalLength=24", "-EXIF:WhiteBalance=Manual",
        "-EXIF:ExposureProgram=Aperture-priority AE", "-EXIF:Orientation#=6", "-EXIF:XResolution=300",
        "-EXIF:YResolution=240", "-EXIF:ResolutionUnit=inches", "-EXIF:ColorSpace=sRGB",
        "-EXIF:ImageDescription=A tower", "-XMP-dc:Title=Tower", "-XMP-dc:Subject=sea", "-XMP-dc:Subject=sand",
    ]

    @Test(
        "are those that exiftool finds",
        arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic", "a.avif"]
    )
    func fullyTagged(target: String) async throws {
        try await MediaFolder.with { folder in
            let name = String(target.prefix { $0 != "[" })
            try await folder.picture(target)
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + Self.tags + [name])
            let peer = try await folder.exiftool(name)
            let found = try folder.properties(name)

            #expect(found["dimensions"] == .size(peer.double("ImageWidth"), peer.double("ImageHeight")))
            #expect(found["resolution"] == .size(peer.double("XResolution"), peer.double("YResolution")))
            #expect(found.text("deviceMaker") == peer["Make"] as? String)
            #expect(found.text("deviceModel") == peer["Model"] as? String)
            #expect(found.text("lens") == peer["LensModel"] as? String)
            #expect(found.text("artist") == peer["Artist"] as? String)
            #expect(found.text("copyright") == peer["Copyright"] as? String)
            #expect(found.text("title") == peer["Title"] as? String)
            #expect(found.texts("keywords") == peer["Subject"] as? [String])
            #expect(found.text("comment") == peer["ImageDescription"] as? String)
            #expect(found.text("area") == peer["GPSAreaInformation"] as? String)
            #expect(peer["SubSecDateTimeOriginal"] as? String == "2024:05:01 12:30:15.25+02:00")
            #expect(found["dateTaken"] == .date(seconds: 1_714_559_415.25, offset: 7200))
            #expect(abs(try #require(found.number("fNumber")) - peer.double("FNumber")) < 0.001)
            #expect(found["exposureTime"] == .fraction(1, 250))
            #expect(peer.double("ExposureTime") == 0.004)
            #expect(found.number("focalLength") == peer.double("FocalLength"))
            #expect(found.number("isoSpeed") == peer.double("ISO"))
            #expect(found.text("exposureProgram") == "aperturePriority")
            #expect(peer.double("ExposureProgram") == 3)
            #expect(found.text("whiteBalance") == "manual")
            #expect(peer.double("WhiteBalance") == 1)
            #expect(found.text("colorSpace") == "sRGB")
            #expect(found.number("colorDepth") == 8)
            guard case .location(let latitude, let longitude, let altitude) = found["location"] else {
                Issue.record("there is no location")
                return
            }
            #expect(abs(latitude - peer.double("GPSLatitude")) < 1e-6)
            #expect(abs(longitude - peer.double("GPSLongitude")) < 1e-6)
            #expect(altitude == peer.double("GPSAltitude"))
            // In these the format itself says how a picture is turned, and this one isn't.
            let isItem = name.hasSuffix("heic") || name.hasSuffix("avif")
            #expect(found.number("orientation") == (isItem ? 1 : 6))
        }
    }

    @Test("come in the order in which to show them")
    func order() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.jpg[profile=srgb]")
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + Self.tags + ["a.jpg"])
            #expect(
                try folder.properties("a.jpg").keys == [
                    "dimensions", "resolution", "orientation", "title", "deviceMaker", "deviceModel", "lens", "artist",
                    "copyright", "dateTaken", "location", "area", "colorSpace", "colorDepth", "colorProfile",
                    "focalLength", "whiteBalance", "fNumber", "exposureProgram", "exposureTime", "isoSpeed", "keywords",
                    "comment",
                ]
            )
        }
    }

    @Test("are read where offsets have 64 bits")
    func bigTIFF() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.tif[bigtiff,xres=10,yres=5]")
            let peer = try await folder.exiftool("a.tif")
            let found = try folder.properties("a.tif")
            #expect(found["dimensions"] == .size(64, 48))
            #expect(found["resolution"] == .size(254, 127))
            #expect(peer.double("XResolution") == 100)
            #expect(peer["ResolutionUnit"] as? Int == 3)
            #expect(found.number("colorDepth") == 8)
        }
    }

    @Test("have the color profile's name", arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic", "a.avif"])
    func profile(name: String) async throws {
        try await MediaFolder.with { folder in
            for profile in ["srgb", "p3"] {
                try await folder.picture("plain.png")
                try await folder.run("vips", ["icc_transform", "plain.png", name, profile, "--input-profile", "srgb"])
                let peer = try await folder.exiftool(name)
                let found = try folder.properties(name)
                #expect(found.text("colorProfile") == peer["ProfileDescription"] as? String)
                #expect(found.text("colorProfile") != nil)
            }
        }
    }

    @Test("have what pixels are made of", arguments: ["a.jpg", "a.png", "a.tif", "a.webp", "a.gif", "a.heic"])
    func colors(name: String) async throws {
        try await MediaFolder.with { folder in
            try await folder.picture(name)
            let found = try folder.properties(name)
            let peer = try await folder.exiftool(name)
            #expect(found["dimensions"] == .size(peer.double("ImageWidth"), peer.double("ImageHeight")))
            #expect(found.text("colorSpace") == "RGB")
            #expect(found.number("colorDepth") == 8)
            guard !["a.webp", "a.gif", "a.heic"].contains(name) else { return }
            try await folder.picture(name, bands: 1)
            #expect(try folder.properties(name).text("colorSpace") == "Gray")
        }
    }

    @Test("are read from IPTC where there is nothing else")
    func iptc() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.jpg")
            let tags = [
                "-IPTC:ObjectName=Ti", "-IPTC:By-line=Bo", "-IPTC:CopyrightNotice=© Bo", "-IPTC:Keywords=x",
                "-IPTC:Keywords=y", "-IPTC:City=Oslo", "-IPTC:Country-PrimaryLocationName=Norway",
            ]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + ["a.jpg"])
            let found = try folder.properties("a.jpg")
            #expect(found.text("title") == "Ti")
            #expect(found.text("artist") == "Bo")
            #expect(found.text("copyright") == "© Bo")
            #expect(found.texts("keywords") == ["x", "y"])
            #expect(found.text("area") == "Oslo, Norway")
        }
    }

    @Test("are read from XMP where there is nothing else", arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic"])
    func xmp(name: String) async throws {
        try await MediaFolder.with { folder in
            try await folder.picture(name)
            let tags = [
                "-XMP-dc:Creator=Bo", "-XMP-dc:Creator=Cy", "-XMP-dc:Rights=© Bo", "-XMP-tiff:Make=M",
                "-XMP-tiff:Model=N", "-XMP-exifEX:LensModel=L", "-XMP-photoshop:City=Oslo",
                "-XMP-photoshop:Country=Norway", "-XMP-exif:DateTimeOriginal=2020:02:29 23:59:58-03:30",
                "-XMP-exif:GPSLatitude=-33.5", "-XMP-exif:GPSLongitude=151.25",
            ]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + [name])
            let found = try folder.properties(name)
            #expect(found.text("artist") == "Bo, Cy")
            #expect(found.text("copyright") == "© Bo")
            #expect(found.text("deviceMaker") == "M")
            #expect(found.text("deviceModel") == "N")
            #expect(found.text("lens") == "L")
            #expect(found.text("area") == "Oslo, Norway")
            #expect(found["dateTaken"] == .date(seconds: 1_583_033_398, offset: -12600))
            #expect(found["location"] == .location(latitude: -33.5, longitude: 151.25, altitude: nil))
        }
    }

    @Test("are right in both byte orders, and in centimetres", arguments: ["II", "MM"])
    func byteOrders(order: String) async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.jpg[strip]")
            let tags = [
                "-ExifByteOrder=\(order)", "-EXIF:XResolution=100", "-EXIF:YResolution=100",
                "-EXIF:ResolutionUnit=cm", "-EXIF:CreateDate=1999:12:31 23:59:59", "-EXIF:ISO=100",
                "-EXIF:LensInfo=24 70 2.8 4", "-EXIF:XPAuthor=Åsa", "-EXIF:XPTitle=日本",
            ]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + ["a.jpg"])
            let found = try folder.properties("a.jpg")
            #expect(found["resolution"] == .size(254, 254))
            #expect(found["dateTaken"] == .date(seconds: 946_684_799, offset: nil))
            #expect(found.text("lens") == "24–70 mm")
            #expect(found.text("artist") == "Åsa")
            #expect(found.text("title") == "日本")
        }
    }

    @Test(
        "are the size and title of an SVG",
        arguments: [
            ("width='120' height='80px'", 120, 80), ("width='1in' height='25.4mm'", 96, 96),
            ("viewBox='0 0 30 20'", 30, 20), ("width='100%' height='100%' viewBox='0,0,30,20'", 30, 20),
            ("width='60' viewBox='0 0 30 20'", 60, 40),
        ]
    )
    func svg(attributes: String, width: Double, height: Double) throws {
        let text = "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' \(attributes)><title>Ti</title><g>"
        let found = Found(try MediaProperties.read(.svg, from: DataSource(Data(text.utf8))))
        #expect(found.keys == ["dimensions", "title"])
        #expect(found["dimensions"] == .size(width, height))
        #expect(found.text("title") == "Ti")
    }

    @Test("are an SVG's where it has a document type, which is not fetched, and none where it declares entities")
    func documentTypes() throws {
        let type = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://localhost:1/svg11.dtd'"
        let root = "<svg xmlns='http://www.w3.org/2000/svg' width='12' height='8'><title>&a;T</title></svg>"
        let plain = Data((type + ">" + root.replacing("&a;", with: "")).utf8)
        let found = Found(try MediaProperties.read(.svg, from: DataSource(plain)))
        #expect(found["dimensions"] == .size(12, 8))
        #expect(found.text("title") == "T")
        for entity in ["<!ENTITY a 'x'>", "<!ENTITY a SYSTEM 'file:///etc/passwd'>", "<!ENTITY % a 'x'>"] {
            let data = Data((type + " [\(entity)]>" + root).utf8)
            #expect(throws: DamagedFile.self) { try MediaProperties.read(.svg, from: DataSource(data)) }
        }
    }

    @Test("are none that cameras leave empty")
    func empty() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.jpg[strip]")
            let tags = [
                "-EXIF:DateTimeOriginal=0000:00:00 00:00:00", "-EXIF:Artist=   ", "-EXIF:WhiteBalance#=9",
                "-EXIF:ExposureProgram#=0",
            ]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + ["a.jpg"])
            let keys = try folder.properties("a.jpg").keys
            for key in ["dateTaken", "artist", "whiteBalance", "exposureProgram", "location", "fNumber"] {
                #expect(!keys.contains(key))
            }
        }
    }
}

extension [String: Any] {
    /// A number, or the first of several.
    func double(_ key: String) -> Double {
        if let number = self[key] as? NSNumber { return number.doubleValue }
        return (self[key] as? String).flatMap { $0.split(separator: " ").first }.flatMap { Double($0) } ?? .nan
    }
}
