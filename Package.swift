// swift-tools-version: 6.2

import PackageDescription

// `.ci/run` sets it: a warning of ours is an error there. To whom Ferry is a dependency, it isn't.
let isStrict = Context.environment["FERRY_STRICT"] == "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioFileSystem = Target.Dependency.product(name: "_NIOFileSystem", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "Ferry",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "Ferry", targets: ["Ferry"]),
        .library(name: "FerryCore", targets: ["FerryCore"]),
        .library(name: "FerryMemory", targets: ["FerryMemory"]),
        .library(name: "FerryLocal", targets: ["FerryLocal"]),
        .library(name: "FerryHTTP", targets: ["FerryHTTP"]),
        .library(name: "FerryURLSession", targets: ["FerryURLSession"]),
        .library(name: "FerryWebDAV", targets: ["FerryWebDAV"]),
        .library(name: "FerrySFTP", targets: ["FerrySFTP"]),
        .library(name: "FerryFTP", targets: ["FerryFTP"]),
        .library(name: "FerryDropbox", targets: ["FerryDropbox"]),
        .library(name: "FerryOneDrive", targets: ["FerryOneDrive"]),
        .library(name: "FerryCloudLab", targets: ["FerryCloudLab"]),
        .library(name: "FerryKeyring", targets: ["FerryKeyring"]),
        .library(name: "FerryUndo", targets: ["FerryUndo"]),
        .library(name: "FerryTransfer", targets: ["FerryTransfer"]),
        .library(name: "FerryCache", targets: ["FerryCache"]),
        .library(name: "FerryMedia", targets: ["FerryMedia"]),
        .library(name: "FerryTestKit", targets: ["FerryTestKit"]),
        .executable(name: "ferry", targets: ["FerryCommand"]),
        .executable(name: "ferry-cloudlab", targets: ["ferry-cloudlab"]),
        .executable(name: "ferry-media", targets: ["FerryMediaHelper"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Floor 0: what a file provider is.
        .target(
            name: "FerryCore",
            dependencies: ["CXXHash", nioCore, nioPosix, nioFileSystem, systemPackage, logging],
            swiftSettings: settings
        ),
        // The author's header, which holds the functions too; Debian's libxxhash-dev.
        .target(name: "CXXHash"),

        // Beside floor 0: programs that run as children of ours, for SFTP, for media and for the command.
        .target(name: "FerryProcess", dependencies: ["CFerryLinux"], swiftSettings: settings),

        // Beside floor 0: hashes by the system's library, which costs no build of a second BoringSSL.
        .target(
            name: "FerryCrypto",
            dependencies: [.target(name: "CLibCrypto", condition: .when(platforms: [.linux]))],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // Floor 1: what every provider on an HTTP API shares.
        .target(
            name: "FerryHTTP",
            dependencies: [
                "FerryCore", "FerryCrypto", "CZlib", nioCore, nioPosix, nioFileSystem, nioHTTP1, nioSSL, nioTLS,
                systemPackage, httpTypes, logging,
            ],
            swiftSettings: settings
        ),

        // Apart, since Foundation's networking is on Linux a library of its own, with libcurl in it, that takes a program
        // as long to load as all the rest.
        .target(
            name: "FerryURLSession",
            dependencies: ["FerryHTTP", "FerryCore", nioCore, httpTypes],
            swiftSettings: settings
        ),

        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Secrets in the desktop's keyring; libdbus is loaded when it is first needed, and not linked.
        .target(name: "FerryKeyring", dependencies: ["FerryCore"], swiftSettings: settings),

        // Floor 2: the providers, a room each.
        .target(name: "FerryMemory", dependencies: ["FerryCore", nioCore], swiftSettings: settings),
        .target(
            name: "FerryLocal",
            dependencies: ["FerryCore", "FerryCrypto", "CFerryLinux", nioCore, nioPosix],
            swiftSettings: settings
        ),
        .target(
            name: "FerryWebDAV",
            dependencies: ["FerryCore", "FerryCrypto", "FerryHTTP", "CLibXML2", nioCore, httpTypes, logging],
            swiftSettings: settings
        ),
        .target(
            name: "FerrySFTP",
            dependencies: ["FerryCore", "FerryProcess", nioCore, nioPosix, logging],
            swiftSettings: settings
        ),
        // libcurl is loaded when FTP is first used, and not linked; CCurl includes its headers, and has C for its variadic functions.
        .target(
            name: "FerryFTP",
            dependencies: ["FerryCore", "CCurl", nioCore, logging],
            swiftSettings: settings
        ),
        .target(
            name: "FerryDropbox",
            dependencies: ["FerryCore", "FerryCrypto", "FerryHTTP", nioCore, httpTypes, logging],
            swiftSettings: settings
        ),
        .target(
            name: "FerryOneDrive",
            dependencies: ["FerryCore", "FerryCrypto", "FerryHTTP", nioCore, httpTypes, logging],
            swiftSettings: settings
        ),
        .target(name: "CCurl", cSettings: isStrict ? [.treatAllWarnings(as: .error)] : []),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CFerryLinux", cSettings: isStrict ? [.treatAllWarnings(as: .error)] : []),

        // Floor 3: what works on any provider through its protocols.
        .target(name: "FerryUndo", dependencies: ["FerryCore", nioCore], swiftSettings: settings),

        .target(
            name: "FerryTransfer",
            dependencies: ["FerryCore", "FerryCrypto", nioCore, grdb],
            swiftSettings: settings
        ),

        .target(
            name: "FerryCache",
            dependencies: ["FerryCore", "CXXHash", "CZlib", nioCore, nioPosix, systemPackage, grdb, logging],
            swiftSettings: settings
        ),

        // Thumbnails and metadata: the messages between the library and its program, and the program, which alone links
        // the decoders.
        .target(name: "FerryMediaWire", swiftSettings: settings),
        .executableTarget(
            name: "FerryMediaHelper",
            dependencies: ["FerryMediaWire", "FerryMediaProperties", "CVips", "CAVFormat", "CSandbox"],
            swiftSettings: settings
        ),
        // By the name of what its headers include: the flags of libvips itself hold one that SwiftPM warns about.
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(
            name: "CAVFormat",
            pkgConfig: "libavformat",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev"])]
        ),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .systemLibrary(name: "CSandbox", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // Readers of metadata in files, linked into the program `ferry-media` only, and into no app.
        .target(
            name: "FerryMediaProperties",
            dependencies: ["FerryMediaWire", "CAVFormat", "CPoppler", "CVips", "CZlib", "CLibXML2"],
            swiftSettings: settings
        ),

        .target(
            name: "FerryMedia",
            dependencies: ["FerryCore", "FerryMediaWire", "FerryProcess"],
            swiftSettings: settings
        ),

        // Floor 5: the command.
        .executableTarget(
            name: "FerryCommand",
            dependencies: [
                "FerryCore", "FerryCrypto", "FerryLocal", "FerryMemory", "FerryHTTP", "FerryWebDAV",
                "FerrySFTP", "FerryFTP", "FerryDropbox", "FerryOneDrive", "FerryKeyring", "FerryUndo", "FerryTransfer",
                "FerryCache", "FerryMedia", "FerryProcess", "CFerryLinux", "CZlib", nioCore, nioPosix, httpTypes, toml,
                logging, argumentParser,
            ],
            swiftSettings: settings
        ),

        // Beside the house: the suite for everybody who writes a provider, and the umbrella.
        .target(name: "FerryTestKit", dependencies: ["FerryCore", nioCore, logging], swiftSettings: settings),
        // Servers on 127.0.0.1, for the emulated services and for tests.
        .target(name: "FerryLoopback", dependencies: [nioCore, nioPosix], swiftSettings: settings),
        // Emulated cloud services, for the tests of apps and of our own providers; it knows nothing of the house.
        .target(
            name: "FerryCloudLab",
            dependencies: [
                "FerryCrypto", "FerryLoopback",
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
                nioCore, nioPosix, nioHTTP1, nioSSL,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ferry-cloudlab",
            dependencies: ["FerryCloudLab", argumentParser],
            swiftSettings: settings
        ),
        .target(
            name: "Ferry",
            dependencies: ["FerryCore", "FerryLocal", "FerryMemory", "FerryUndo"],
            swiftSettings: settings
        ),

        // Servers for tests: some in this process that misbehave on demand, and real ones as processes of their own.
        .target(
            name: "FerryTestServers",
            dependencies: [
                "FerryCore", "FerryCrypto", "FerryKeyring", "FerryLoopback", "FerryProcess", "CZlib",
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
                nioCore, nioPosix, nioHTTP1, nioSSL, httpTypes, systemPackage, logging,
            ],
            path: "Tests/FerryTestServers",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryProcessTests",
            dependencies: ["FerryProcess", "FerryTestServers"],
            swiftSettings: settings
        ),
        .testTarget(name: "FerryCryptoTests", dependencies: ["FerryCrypto"], swiftSettings: settings),
        .testTarget(
            name: "FerryHTTPTests",
            dependencies: [
                "FerryHTTP", "FerryURLSession", "FerryCore", "FerryMemory", "FerryTestKit", "FerryTestServers",
                "FerryCrypto",
                nioCore, nioPosix, nioHTTP1,
                httpTypes, logging,
            ],
            swiftSettings: settings
        ),
        // The provider that the guide walks through, and an API for it.
        .testTarget(
            name: "FerryExampleProviderTests",
            dependencies: [
                "FerryHTTP", "FerryCore", "FerryMemory", "FerryTestKit", "FerryTestServers", nioCore, httpTypes,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryWebDAVTests",
            dependencies: [
                "FerryWebDAV", "FerryHTTP", "FerryCore", "FerryLocal", "FerryMemory", "FerryCache", "FerryTestKit",
                "FerryTestServers", "FerryCrypto", nioCore, httpTypes, logging,
            ],
            swiftSettings: settings
        ),

        .testTarget(
            name: "FerrySFTPTests",
            dependencies: [
                "FerrySFTP", "FerryCore", "FerryCrypto", "FerryLocal", "FerryMemory", "FerryTestKit",
                "FerryTestServers", "FerryTransfer", nioCore, nioPosix, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryFTPTests",
            dependencies: [
                "FerryFTP", "FerryCore", "FerryLocal", "FerryMemory", "FerryTransfer", "FerryTestKit",
                "FerryTestServers", nioCore, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryCloudLabTests",
            dependencies: ["FerryCloudLab", "FerryTestServers", nioCore, nioPosix, nioHTTP1],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryDropboxTests",
            dependencies: [
                "FerryDropbox", "FerryCloudLab", "FerryHTTP", "FerryCore", "FerryMemory", "FerryTransfer",
                "FerryTestKit",
                "FerryTestServers", nioCore, httpTypes, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryOneDriveTests",
            dependencies: [
                "FerryOneDrive", "FerryCloudLab", "FerryHTTP", "FerryCore", "FerryMemory", "FerryTransfer",
                "FerryTestKit", "FerryTestServers", nioCore, httpTypes, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryKeyringTests",
            dependencies: ["FerryKeyring", "FerryCore", "FerryTestServers"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryCoreTests",
            dependencies: ["FerryCore", "FerryMemory", "FerryTestKit", nioCore, logging],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryMemoryTests",
            dependencies: ["FerryMemory", "FerryCore", "FerryTestKit", nioCore],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryLocalTests",
            dependencies: [
                "FerryLocal", "FerryCore", "FerryMemory", "FerryTestKit", "FerryTestServers", "FerryUndo", nioCore,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryTestKitTests",
            dependencies: ["FerryTestKit", "FerryCore", "FerryMemory", "FerryUndo", nioCore],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryUndoTests",
            dependencies: ["FerryUndo", "FerryCore", "FerryLocal", "FerryMemory", "FerryTestKit"],
            swiftSettings: settings
        ),
        // A transfer in a process of its own, for tests that kill it.
        .executableTarget(
            name: "FerryTransferVictim",
            dependencies: ["FerryTransfer", "FerryCore", "FerryLocal", "FerryWebDAV", "FerryTestKit", nioCore],
            path: "Tests/FerryTransferVictim",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryTransferTests",
            dependencies: [
                "FerryTransferVictim",
                "FerryTransfer", "FerryCore", "FerryMemory", "FerryLocal", "FerryTestKit", "FerryTestServers",
                "FerryUndo", "FerryCrypto", "FerryWebDAV", "FerryHTTP", httpTypes, nioCore, grdb, systemPackage,
            ],
            swiftSettings: settings
        ),
        // A store of a process of its own, for tests that kill it.
        .executableTarget(
            name: "FerryCacheVictim",
            dependencies: ["FerryCache", "FerryCore", "FerryMemory", nioCore],
            path: "Tests/FerryCacheVictim",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryCacheTests",
            dependencies: [
                "FerryCacheVictim",
                "FerryCache", "FerryCore", "FerryMemory", "FerryLocal", "FerryTestKit", "FerryTestServers",
                "FerryWebDAV", "FerryHTTP", httpTypes, nioCore, nioPosix, grdb, systemPackage,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryMediaPropertiesTests",
            dependencies: ["FerryMediaProperties", "FerryMediaWire", "FerryTestServers", systemPackage],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryMediaTests",
            dependencies: ["FerryMediaHelper", "FerryMediaWire", "FerryTestServers", systemPackage],
            exclude: ["Samples"],
            swiftSettings: settings
        ),
        // Replaces the program in tests of the library: it behaves well or badly as the test demands.
        .executableTarget(
            name: "FerryMediaStandIn",
            dependencies: ["FerryMediaWire"],
            path: "Tests/FerryMediaStandIn",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryMediaProviderTests",
            dependencies: [
                "FerryMediaStandIn",
                "FerryMedia", "FerryMediaHelper", "FerryMediaWire", "FerryCore", "FerryCache", "FerryMemory",
                "FerryLocal", "FerryTestKit", "FerryTestServers", "FerryWebDAV", "FerryHTTP", httpTypes, nioCore,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryTests",
            dependencies: [
                "Ferry", "FerryCache", "FerryFTP", "FerryHTTP", "FerryMedia", "FerrySFTP", "FerryTestServers",
                "FerryTransfer", "FerryWebDAV",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FerryCommandTests",
            dependencies: [
                "FerryCommand", "FerryCore", "FerryMemory", "FerryLocal", "FerryHTTP", "FerryWebDAV", "FerryDropbox",
                "FerryOneDrive", "FerryTransfer", "FerryTestKit", "FerryCloudLab", logging,
                "FerryMedia", "FerryMediaHelper", "CZlib", "FerryCache", "FerryUndo", "FerryTestServers", httpTypes,
                systemPackage,
            ],
            swiftSettings: settings
        ),

        // Programs of `scripts/bench`: one runs the commands in turn, and knows `ferry` as a program only; the other prints
        // one number that only a program that links the library can measure.
        .executableTarget(
            name: "FerryBenchmarks",
            dependencies: [argumentParser],
            path: "Benchmarks/FerryBenchmarks",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FerryMeasurements",
            dependencies: ["CMalloc", "FerryCore", "FerryCrypto", "FerryLocal", "FerryCache", argumentParser, grdb],
            path: "Benchmarks/FerryMeasurements",
            swiftSettings: settings
        ),
        .systemLibrary(name: "CMalloc", path: "Benchmarks/CMalloc"),
    ],
    swiftLanguageModes: [.v6]
)
