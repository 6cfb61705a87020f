import FerryCore
import FerryTestKit
import FerryUndo
import Foundation
import Testing

@testable import FerryLocal

@Suite("Local files behave as every provider must")
struct ConformanceTests {
    @Test("with the kernel's path walk", arguments: ConformanceCheck.all)
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.plain)
    }

    @Test("step by step, as where the kernel has none", arguments: ConformanceScope.storage.checks())
    func conformsStepByStep(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.stepByStep)
    }

    @Test("where retries are wrapped around them", arguments: ConformanceScope.wrapper.checks())
    func conformsWithRetries(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.retrying)
    }

    @Test("where faults could be injected", arguments: ConformanceScope.wrapper.checks())
    func conformsWithFaults(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.faulty)
    }

    @Test("where nobody may change them", arguments: ConformanceScope.wrapper.checks())
    func conformsReadOnly(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.readOnly)
    }

    @Test("where what is done can be undone", arguments: ConformanceScope.wrapper.checks())
    func conformsUndoable(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.undoable)
    }

    private static let plain = subject("local") { $0 }
    private static let stepByStep = subject("local, step by step", .stepByStep) { $0 }
    private static let retrying = subject("local with retries") { RetryingFileProvider($0) }
    private static let faulty = subject("local with faults") { FaultInjectingFileProvider($0) }
    private static let readOnly = subject("local, read-only") { ReadOnlyFileProvider($0) }
    private static let undoable = subject("local, undoable") { UndoableFileProvider($0) }

    private static func subject(
        _ name: String,
        _ method: BaseFolder.Method = .best,
        wrapping wrap: @escaping @Sendable (LocalFileProvider) -> any FileProviderBasic
    ) -> ConformanceSubject {
        ConformanceSubject(
            name,
            stageFor: { check in
                // Mounting for every rule would slow down the whole machine.
                try LocalStage(method, mounts: check.group == "situations").stage(wrapping: wrap)
            }
        )
    }
}

/// A folder for one rule: on request, and as root, on a file system of its own, which can become full or read-only.
private struct LocalStage {
    private let folder: TemporaryFolder
    private let disk: MountedFileSystem?
    private let provider: LocalFileProvider

    init(_ method: BaseFolder.Method, mounts: Bool) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try folder.makeFolder("disk")
        disk = mounts && geteuid() == 0 ? try? MountedFileSystem(folder, options: "size=64m") : nil
        try folder.makeFolder("disk/base")
        provider = folder.provider("disk/base", method: method)
    }

    func stage(wrapping wrap: (LocalFileProvider) -> any FileProviderBasic) -> ConformanceStage {
        ConformanceStage(wrap(provider), fixtures: provider, situations: situations, ownsTrash: true) {
            [folder, disk] in
            disk?.unmount()
            _ = folder  // removed with its last user
        }
    }

    private var situations: [ConformanceSituation: ConformanceSituationMaker] {
        let base = folder.path("disk/base")
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .baseGone: { _ in try FileManager.default.removeItem(atPath: base) }
        ]
        if let disk {
            situations[.readOnly] = { _ in try disk.makeReadOnly() }
            situations[.full] = { [folder] _ in
                let file = open(folder.path("disk/filler"), O_CREAT | O_WRONLY, 0o600)
                defer { close(file) }
                let block = [UInt8](repeating: 0, count: 4096)
                while write(file, block, block.count) == block.count {}
            }
        } else {
            // Root is not kept from anything by permissions.
            situations[.unreadable] = { path in chmod(base + path.string, 0) }
            situations[.unwritable] = { path in chmod(base + path.string, 0o555) }
        }
        return situations
    }
}
