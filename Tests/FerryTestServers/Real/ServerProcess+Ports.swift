import Foundation

extension ServerProcess {
    /// Returns whether this server listens on a port of 127.0.0.1: another program may have been faster to take it.
    ///
    /// Where the system doesn't list who listens (elsewhere than on Linux), it is enough that somebody does.
    func isListening(on port: Int) -> Bool {
        guard let id, FreePorts.isListening(port) else { return false }
        #if os(Linux)
        let group = getpgid(id)
        guard group > 0 else { return false }
        let sockets = ["tcp", "tcp6"].flatMap { TableSocket.all(in: $0) }
        let links = Set(sockets.filter { $0.isListening && $0.localPort == port }.map(\.link))
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { name in
            guard let process = pid_t(name), getpgid(process) == group else { return false }
            return TableSocket.links(ofProcess: name).contains { links.contains($0) }
        }
        #else
        return true
        #endif
    }
}
