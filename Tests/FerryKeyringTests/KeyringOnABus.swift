import FerryKeyring
import Foundation

/// A real keyring on a bus of its own, as processes that end with the test, however that ends.
final class KeyringOnABus {
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

    /// Where the bus is.
    let address: String
    private let folder: URL
    private let process = Process()
    private let input = Pipe()

    private init(isUnlocked: Bool) throws {
        // A socket's path may have 107 bytes only.
        folder = URL(filePath: "/tmp/ferry-ring-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder.path())/bus"
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script, "keyring", folder.path(), isUnlocked ? "unlocked" : "locked"]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Runs a keyring for the time of a test.
    static func with(isUnlocked: Bool = true, _ body: (_ address: String) async throws -> Void) async throws {
        let ring = try KeyringOnABus(isUnlocked: isUnlocked)
        defer { ring.stop() }
        // A process says not when it is ready: ask until it is, or a minute is over.
        let end = ContinuousClock.now + .seconds(60)
        while await !SecretServiceStore(address: ring.address).isAvailable, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await body(ring.address)
    }

    private func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
