import FerryCore
import Foundation

extension Trial {
    /// The item at a path below the rule's own folder; a leading slash changes nothing.
    subscript(path: ItemPath) -> ItemPath { root.appending(path: path) }

    /// Writes files and folders: a path that ends in a slash is a folder, and missing folders are made.
    func plant(_ items: KeyValuePairs<String, String>) async throws {
        for (path, text) in items { try await plant(path, Data(text.utf8)) }
    }

    /// Writes one file, or a folder if the path ends in a slash.
    @discardableResult
    func plant(_ path: String, _ contents: Data) async throws -> ItemPath {
        let target = root.appending(path: ItemPath(stringLiteral: path))
        let folder = path.hasSuffix("/") ? target : target.parent
        if folder.isBelow(root) {
            try await fixtures.create(folder: folder.lastName, at: folder.parent, creatingParents: true)
        }
        if folder != target { try await fixtures.writeContents(path: target, contents: contents) }
        return target
    }

    /// Returns what is really below the rule's own folder.
    func snapshot() async throws -> TreeContents {
        try await TreeContents(of: fixtures, below: root)
    }

    /// Notes a failure for each item below the rule's own folder that is missing, different or too many.
    ///
    /// Where something was broken off right before, a hidden file of the storage's own may lie there until it notices, and
    /// it gets the time for that; anything else that is not as it should be is a failure at once.
    func expectTree(
        _ items: KeyValuePairs<String, String>,
        afterBreak: Bool = false,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let expected = TreeContents(items)
        let end = ContinuousClock.now + timeout
        while true {
            let mayWait = afterBreak && ContinuousClock.now < end
            do {
                let found = try await snapshot()
                let isSettling = mayWait && found != expected && found.withoutHidden(beside: expected) == expected
                if !isSettling {
                    for difference in found.differences(from: expected) {
                        fail(difference, filePath: filePath, line: line)
                    }
                    return
                }
            } catch let error as CocoaError where mayWait && error.isAboutHidden {
                // It was listed, and then it was gone.
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Notes a failure unless a file has these contents, as the provider itself reads it.
    func expectContents(
        of path: ItemPath,
        _ expected: Data,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let contents = try await (provider as? any FileProviderReadWrite ?? fixtures).contents(path: path)
        if let difference = contents.difference(from: expected) {
            fail(
                "contents of \(path.string.debugDescription): \(difference)",
                filePath: filePath,
                line: line
            )
        }
    }

    /// Notes a failure unless a file has this text.
    func expectContents(
        of path: ItemPath,
        _ expected: String,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await expectContents(of: path, Data(expected.utf8), filePath: filePath, line: line)
    }

    /// Notes a failure if there is anything at a path.
    func expectNothing(
        at path: ItemPath,
        filePath: String = #filePath,
        line: Int = #line
    ) async {
        await expectRefusal(
            .fileNoSuchFile,
            of: "asking for \(path.string.debugDescription), which should not exist,",
            filePath: filePath,
            line: line
        ) {
            try await provider.attributesOfItem(path: path)
        }
    }

    /// Bytes of which no two stretches are alike, the same ones for the same seed.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data { .seeded(count, seed: seed) }
}

extension Data {
    /// How bytes differ from what they should be; `nil` if they don't.
    func difference(from expected: Data) -> String? {
        if self == expected { return nil }
        if count != expected.count { return "\(count) bytes, and should be \(expected.count)" }
        let offset = zip(self, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        return "the bytes differ from offset \(offset) on"
    }

    init(file text: String) {
        self.init(text.utf8)
    }
}

extension CocoaError {
    /// Indicates whether a hidden item is not there.
    fileprivate var isAboutHidden: Bool {
        code == .fileNoSuchFile && (filePath.flatMap(ItemPath.init)?.lastName.hasPrefix(".") ?? false)
    }
}
