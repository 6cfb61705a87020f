import FerryKeyring
import Foundation
import Subprocess
import SystemPackage

/// A real keyring on a bus of its own, as processes that end with the test, however that ends.
enum KeyringOnABus {
    /// Whether this machine has the programs.
    static let isInstalled = ["dbus-daemon", "gnome-keyring-daemon"].allSatisfy { name in
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    // The bus starts no service by itself, so none of the machine's own takes part. The shell ends both when its input
    // does, which this process alone holds open.
    private static let script = """
        cd "$1" || exit 1
        export HOME="$1" XDG_DATA_HOME="$1/data" XDG_RUNTIME_DIR="$1/run" DBUS_SESSION_BUS_ADDRESS="unix:path=$1/bus"
        mkdir -p -m 700 data run
        echo '<busconfig><type>session</type><listen>unix:path='"$1"'/bus</listen><policy context="default">' \\
            '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>' \\
            '</policy></busconfig>' > bus.conf
        dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile > bus.log 2>&1 &
        bus=$!
        tries=0
        until [ -S bus ] || [ $tries -gt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
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
    static func with(
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
                _ = try await Subprocess.run(
                    .path("/bin/sh"),
                    arguments: ["-c", script, "keyring", folder.path(), isUnlocked ? "unlocked" : "locked"],
                    input: .fileDescriptor(end, closeAfterSpawningProcess: true),
                    output: .discarded,
                    error: .discarded
                )
            }
            let outcome: Result<Void, any Error>
            do {
                try await waitUntilReady(address)
                outcome = .success(try await body(address))
            } catch {
                outcome = .failure(error)
            }
            try own.close()
            try await group.waitForAll()
            try outcome.get()
        }
    }

    /// A process says not when it is ready: asks until it is, or a minute is over.
    private static func waitUntilReady(_ address: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while await !SecretServiceStore(address: address).isAvailable, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
