import Foundation
import Testing

@testable import FerryCloudLab

@Suite("Storage")
struct CloudTreeTests {
    private let date = Date(timeIntervalSince1970: 0)
    private let root = CloudTree.rootID

    private func tree(quota: Int64? = nil, movesMakeVersions: Bool = false) -> CloudTree {
        CloudTree(hashKinds: [.sha1], movesMakeVersions: movesMakeVersions, quota: quota, date: date)
    }

    private func paths(_ tree: CloudTree) -> [String] {
        tree.descendants(of: root).map { (tree.path(of: $0.id) ?? []).joined(separator: "/") }
    }

    @Test("a name is found in any case, and keeps its spelling")
    func caseFolding() throws {
        var tree = tree()
        let folder = try tree.makeFolders(["Ärger", "B"], under: root, at: date)
        #expect(tree.item(at: ["äRGER", "b"])?.id == folder)
        #expect(paths(tree) == ["Ärger", "Ärger/B"])
    }

    @Test("a storage with other rules holds names that differ in case")
    func otherNames() throws {
        var tree = CloudTree(
            names: CloudNameRule(foldsCase: false),
            hashKinds: [],
            date: date
        )
        for name in ["a", "A"] { tree.makeFolder(named: name, in: root, at: date) }
        #expect(tree.children(of: root).map(\.name) == ["A", "a"])
    }

    @Test("a file in place of a parent folder is refused")
    func fileAncestor() throws {
        var tree = tree()
        try tree.makeFile(named: "a", in: root, content: CloudContent(), hashes: [:], at: date)
        #expect(throws: CloudError.fileAncestor) { try tree.makeFolders(["A", "b"], under: root, at: date) }
    }

    @Test("the quota counts current versions outside the trash")
    func quota() throws {
        var tree = tree(quota: 10)
        let file = try tree.makeFile(
            named: "a",
            in: root,
            content: CloudContent(repeatElement(0, count: 6)),
            hashes: [:],
            at: date
        )
        #expect(throws: CloudError.insufficientSpace) { try tree.copy(file.id, to: root, named: "b", at: date) }
        try tree.replaceContent(of: file.id, with: CloudContent(repeatElement(0, count: 10)), hashes: [:], at: date)
        #expect(tree.used == 10)
        try tree.delete(file.id, at: date)
        #expect(tree.used == 0)
        #expect(tree.versions(of: file.id).map(\.size) == [6, 10])
    }

    @Test("an item keeps its number across moves, and a moved file gets a new version where the service says so")
    func moving() throws {
        var tree = tree(movesMakeVersions: true)
        let folder = try tree.makeFolders(["a"], under: root, at: date)
        let file = try tree.makeFile(named: "f", in: folder, content: CloudContent(), hashes: [:], at: date)
        try tree.move(folder, to: root, named: "b", at: date)
        #expect(tree.item(at: ["b", "f"])?.id == file.id)
        #expect(tree.versions(of: file.id).count == 2)
        #expect(tree.item(at: ["a"]) == nil)
        #expect(
            tree.changes.suffix(3).map { "\($0.isRemoval) \($0.path.joined(separator: "/"))" } == [
                "true a", "false b", "false b/f",
            ]
        )
        #expect(throws: CloudError.intoItself) { try tree.move(folder, to: folder, named: "c", at: date) }
    }

    @Test("what is deleted with its folder comes back with it")
    func trash() throws {
        var tree = tree()
        let folder = try tree.makeFolders(["a", "b"], under: root, at: date)
        try tree.makeFile(named: "f", in: folder, content: CloudContent([1]), hashes: [:], at: date)
        let top = try #require(tree.item(at: ["a"]))
        try tree.delete(top.id, at: date)
        #expect(paths(tree).isEmpty && tree.liveItem(folder) == nil && tree.trash == [top.id])
        #expect(tree.grave(at: ["A", "B", "F"])?.isFolder == false)
        #expect(tree.graves(in: []).map(\.path) == [["a"]])
        try tree.restore(top.id, to: root, named: "c", at: date)
        #expect(paths(tree) == ["c", "c/b", "c/b/f"] && tree.trash.isEmpty && tree.used == 1)
        try tree.purge(top.id, at: date)
        #expect(tree.items.count == 1 && tree.versions.isEmpty)
    }

    @Test(
        "free names count up before the extension",
        arguments: [("a.tar.gz", "a.tar (1).gz"), (".profile", ".profile (1)"), ("a", "a (1)")]
    )
    func freeNames(name: String, free: String) {
        #expect(tree().freeName(name, in: root, isFolder: false) == free)
    }

    @Test("a part of a content is the bytes in between, across its pieces")
    func parts() {
        var content = CloudContent(CloudHashTests.pattern)
        content.append(CloudContent([1, 2, 3]))
        let count = content.count
        #expect(content.part(count - 5..<count + 9).bytes == Array(CloudHashTests.pattern.suffix(2)) + [1, 2, 3])
        #expect(content.part(1_048_570..<1_048_580).bytes == Array(CloudHashTests.pattern[1_048_570..<1_048_580]))
        #expect(content.part(7..<7).bytes.isEmpty)
    }
}
