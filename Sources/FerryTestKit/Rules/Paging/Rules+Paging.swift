import FerryCore
import Foundation

extension ConformanceCheck {
    /// Listings, and the pages in which they come.
    static let paging: [ConformanceCheck] = [
        Self("paging.empty", "an empty folder has no items, in no or one empty page") { trial in
            var pages: [[FileObject]] = []
            for try await page in trial.provider.directoryListing(path: trial.root) { pages.append(page) }
            trial.expect(pages.count <= 1 && pages.allSatisfy(\.isEmpty), "there are \(pages.count) pages")
            trial.expectEqual(try await trial.provider.contentsOfDirectory(path: trial.root), [], "items")
        },
        Self("paging.1500", "1,500 items come each exactly once, over as many pages as it takes") { trial in
            let names = try await trial.plantMany(1_500)
            var met: [String] = []
            for try await page in trial.provider.directoryListing(path: trial.root) {
                trial.expect(!page.isEmpty, "a page of a folder with items is empty")
                met += page.map(\.name)
            }
            trial.expectEqual(met.count, names.count, "items")
            trial.expectEqual(Set(met), Set(names), "names")
            let collected = try await trial.provider.contentsOfDirectory(path: trial.root).map(\.name)
            trial.expectEqual(collected.count, names.count, "collected items")
        },
        Self("paging.again", "a listing can be walked over again, and then shows what is new") { trial in
            try await trial.plant(["a.txt": "a"])
            let listing = trial.provider.directoryListing(path: trial.root)
            var first: [String] = []
            for try await page in listing { first += page.map(\.name) }
            trial.expectEqual(first, ["a.txt"], "names")
            try await trial.plant(["b.txt": "b"])
            var second: [String] = []
            for try await page in listing { second += page.map(\.name) }
            trial.expectEqual(second.sorted(), ["a.txt", "b.txt"], "names the second time")
        },
        Self("paging.leaving-early", "a listing that is left early does no harm") { trial in
            try await trial.plantMany(20)
            for try await _ in trial.provider.directoryListing(path: trial.root) { break }
            trial.expectEqual(try await trial.provider.contentsOfDirectory(path: trial.root).count, 20, "items")
        },
        Self("paging.paths", "a listed item's path leads to that item") { trial in
            try await trial.plant(["folder/a.txt": "a", "folder/inner/b.txt": "b"])
            let items = try await trial.provider.contentsOfDirectory(path: trial["folder"])
            trial.expectEqual(Set(items.map(\.path)), [trial["folder/a.txt"], trial["folder/inner"]], "paths")
            trial.expectEqual(Set(items.map(\.folder)), [trial["folder"]], "folders")
            for item in items {
                let described = try await trial.provider.attributesOfItem(path: item.path)
                trial.expectEqual(described.name, item.name, "the name")
                trial.expectEqual(described.type, item.type, "the kind")
            }
        },
        Self("paging.agrees", "a listing and attributesOfItem agree about every item") { trial in
            try await trial.plant(["a.txt": "some text", "folder/": "", "photo.png": "no photo"])
            for item in try await trial.provider.contentsOfDirectory(path: trial.root) {
                let described = try await trial.provider.attributesOfItem(path: item.path)
                trial.expectEqual(described.path, item.path, "the path of \(item.name)")
                trial.expectEqual(described.size ?? item.size, item.size ?? described.size, "size of \(item.name)")
                trial.expectEqual(described.id ?? item.id, item.id ?? described.id, "identifier of \(item.name)")
                trial.expectEqual(described.eTag ?? item.eTag, item.eTag ?? described.eTag, "eTag of \(item.name)")
                if let listed = item.modifiedDate, let told = described.modifiedDate {
                    trial.expectEqual(told, listed, "the modified date of \(item.name)")
                }
            }
        },
        Self("paging.one-level", "a listing shows one level, neither the folder itself nor what is deeper") { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c"])
            let names = try await trial.provider.contentsOfDirectory(path: trial.root).map(\.name).sorted()
            trial.expectEqual(names, ["a.txt", "folder"], "names")
        },
        Self("paging.kinds", "files are files with a size, folders are folders") { trial in
            try await trial.plant(["a.txt": "12345", "folder/b.txt": "b"])
            let items = try await trial.provider.contentsOfDirectory(path: trial.root)
            let file = try trial.require(items.first { $0.name == "a.txt" }, "the file is missing")
            let folder = try trial.require(items.first { $0.name == "folder" }, "the folder is missing")
            trial.expect(file.isRegularFile && file.size == 5, "the file is \(file.type) of \(file.size ?? -1) bytes")
            trial.expect(folder.isDirectory, "the folder is \(folder.type)")
        },
        Self("paging.page-fails", "a page that fails ends the listing with its error, and the pages before stay valid")
        {
            trial in
            let names = try await trial.plantMany(30)
            let faulty = trial.provider.withFaults(
                .init(.directoryListing, on: .call(2), fault: .error(URLError(.networkConnectionLost)))
            )
            var met: [String] = []
            await trial.expectURLError(.networkConnectionLost, of: "the listing") {
                for try await page in faulty.directoryListing(path: trial.root) { met += page.map(\.name) }
            }
            trial.expect(Set(met).isSubset(of: names), "there are names that were never planted")
            await trial.expectURLError(.networkConnectionLost, of: "contentsOfDirectory") {
                faulty.plan = faulty.plan
                return try await faulty.contentsOfDirectory(path: trial.root)
            }
        },
        Self("paging.search-page-fails", "a search whose listing fails is an error, never a shorter result") { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let faulty = trial.provider.withFaults(
                .init(.searchFiles, .directoryListing, on: .call(2), fault: .error(URLError(.networkConnectionLost)))
            )
            await trial.expectURLError(.networkConnectionLost, of: "searchFiles") {
                try await faulty.searchFiles(path: trial.root, recursive: true, query: .all, foundItemHandler: nil)
            }
        },
        Self("paging.cancelled", "a listing in a cancelled task throws CancellationError") { trial in
            try await trial.plant(["a.txt": "a"])
            await trial.expectCancellation(of: "the listing") {
                try await inCancelledTask {
                    for try await _ in trial.provider.directoryListing(path: trial.root) {}
                }
            }
            let names = try await trial.provider.contentsOfDirectory(path: trial.root).map(\.name)
            trial.expectEqual(names, ["a.txt"], "names afterwards")
        },
    ]
}

extension Trial {
    /// Writes many empty files.
    @discardableResult
    func plantMany(_ count: Int) async throws -> [String] {
        let names = (0..<count).map { "item \($0)" }
        let limit = 16
        try await withThrowingTaskGroup(of: Void.self) { [fixtures, root] group in
            for (index, name) in names.enumerated() {
                if index >= limit { try await group.next() }
                group.addTask { try await fixtures.writeContents(path: root.appending(name), contents: Data()) }
            }
            try await group.waitForAll()
        }
        return names
    }
}

/// A provider whose faults can be planned, whatever it wraps.
protocol FaultyFileProvider: FileProviderBasic {
    var plan: FaultPlan { get nonmutating set }
}

extension FaultInjectingFileProvider: FaultyFileProvider {}

extension FileProviderBasic {
    /// The provider, with things going wrong.
    func withFaults(_ rules: FaultPlan.Rule...) -> any FaultyFileProvider {
        FaultInjectingFileProvider(self, plan: FaultPlan(rules))
    }
}
