// swift-tools-version: 6.2

import PackageDescription

// As in Ferry's own manifest.
let isStrict = Context.environment["FERRY_STRICT"] == "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "FerryBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Ferry", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Fills a cache's index faster than the cache does.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Runs the commands in turn and prints the table. It knows `ferry` as a program only.
        .executableTarget(
            name: "FerryBenchmarks",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        // What only a program that links the library can measure: prints one number.
        .executableTarget(
            name: "FerryMeasurements",
            dependencies: [
                "CMalloc",
                .product(name: "FerryCore", package: "Ferry"),
                .product(name: "FerryLocal", package: "Ferry"),
                .product(name: "FerryCache", package: "Ferry"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CMalloc"),
    ],
    swiftLanguageModes: [.v6]
)
