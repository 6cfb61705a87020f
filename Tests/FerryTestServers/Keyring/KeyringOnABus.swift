import FerryKeyring
import Foundation
import SystemPackage

/// A real keyring on a bus of its own, as processes that end with the test, however that ends.
public enum KeyringOnABus {
    // The bus starts no service by itself, so none of the machine's own takes part. The shell ends both when its input
    // does, which this process alone holds open.
    private static let script = """
        cd "$1" || exit 1
        for program in dbus-daemon gnome-keyring-daemon; do
            command -v $program > /dev/null || { echo "$program is missing: scripts/test installs it" >&2; exit 1; }
        done
        export HOME="$1" XDG_DATA_HOME="$1/data" XDG_RUNTIME_DIR="$1/run" DBUS_SESSION_BUS_ADDRESS="unix:path=$1/bus"
        mkdir -p -m 700 data run
        echo '<busconfig><type>session</type><listen>unix:path='"$1"'/bus</listen><policy context="default">' \\
            '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>' \\
            '</policy></busconfig>' > bus.conf
        dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile > bus.log 2>&1 &
        bus=$!
        tries=0
        until [ -S bus ] || [ $tries -gt 6000 ]; do sleep 0.05; tries=$((tries + 1)); done
        if [ "$2" = unlocked ]; then
            printf password | gnome-keyring-daemon --foreground --unlock --components=secrets > ring.log 2>&1 &
        else
            gnome-keyring-daemon --foreground --components=secrets > ring.log 2>&1 &
        fi
        ring=$!
        cat > /dev/null
        kill $ring $bus
        wait
        """

    /// Runs a keyring for the time of a test.
    ///
    /// - Parameters:
    ///   - isUnlocked: `true` if its password was given.
    ///   - body: The work with it; it gets the bus's address.
    /// - Throws: Any error that `body` throws; ``KeyringFailure`` when there is no keyring, which is never a reason to
    ///   skip a test.
    public static func with(
        isUnlocked: Bool = true,
        _ body: @escaping @Sendable (_ address: String) async throws -> Void
    ) async throws {
        // A socket's path may have 107 bytes only.
        let folder = URL(filePath: "/tmp/ferry-ring-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = "unix:path=\(folder.path())/bus"
        let (end, own) = try FileDescriptor.pipe()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let errors = try ScratchFile()
                let program = Result {
                    try TestProgram(
                        "/bin/sh",
                        ["-c", script, "keyring", folder.path(), isUnlocked ? "unlocked" : "locked"],
                        input: end.rawValue,
                        errors: errors.descriptor
                    )
                }
                try end.close()
                _ = try await program.get().ending()
                let words = String(decoding: try errors.contents, as: UTF8.self)
                if words.contains("is missing") { throw KeyringFailure(description: words) }
            }
            let outcome: Result<Void, any Error>
            do {
                try await until("the keyring answers") { await SecretServiceStore(address: address).isAvailable }
                outcome = .success(try await body(address))
            } catch {
                outcome = .failure(error)
            }
            try own.close()
            // That a program is missing tells more than that nobody answers.
            try await group.waitForAll()
            try outcome.get()
        }
    }
}

/// There is no keyring to be had.
public struct KeyringFailure: Error, CustomStringConvertible {
    /// Why, in words.
    public let description: String
}
