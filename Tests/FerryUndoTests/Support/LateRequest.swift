/// The last request of a process that was killed: it has been sent, and the storage carries it out when a test says so.
actor LateRequest {
    private var isSent = false
    private var isOver = false
    private var isWanted = false
    private var sender: CheckedContinuation<Void, Never>?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits until it is to be carried out.
    func send() async {
        isSent = true
        wake()
        if !isWanted { await withCheckedContinuation { sender = $0 } }
    }

    /// It was carried out, or the process has ended without it.
    func end() {
        isOver = true
        wake()
    }

    /// Waits until it is sent.
    ///
    /// - Returns: `false` if the process has ended without it.
    func wasSent() async -> Bool {
        while !isSent, !isOver { await change() }
        return isSent
    }

    /// Has it carried out, and waits for that.
    func carryOut() async {
        isWanted = true
        sender?.resume()
        sender = nil
        while !isOver { await change() }
    }

    private func change() async { await withCheckedContinuation { waiting.append($0) } }

    private func wake() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
