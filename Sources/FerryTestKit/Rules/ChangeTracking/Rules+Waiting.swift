import FerryCore
import Foundation

extension ConformanceCheck {
    /// A wait for changes ends with the first one, and takes no longer than agreed.
    static let waiting: [ConformanceCheck] = [
        Self("tracking.wait-over", "a wait of no time says that nothing has changed", needs: tracked) { trial in
            try await trial.plant(["a.txt": "a"])
            let anchor = try await trial.tracking.currentAnchor()
            let isNew = try await trial.tracking.waitForChanges(since: anchor, timeout: .zero)
            trial.expect(!isNew, "there is something new")
        },
        Self("tracking.wait-known", "a wait since an anchor ends if something has changed already", needs: tracked) {
            trial in
            let anchor = try await trial.tracking.currentAnchor()
            try await trial.plant(["a.txt": "a"])
            for timeout in [Duration.zero, Self.longWait] {
                let isNew = try await trial.tracking.waitForChanges(since: anchor, timeout: timeout)
                trial.expect(isNew, "there is nothing new within \(timeout)")
            }
        },
        Self("tracking.wait-wakes", "a wait ends when something changes", needs: tracked) { trial in
            let tracking = try trial.tracking
            let anchor = try await tracking.currentAnchor()
            // A guard for the suite: a provider that loses the change would keep it waiting.
            async let isNew = withTimeLimit(.seconds(120), on: ContinuousClock(), orReturn: false) {
                try await tracking.waitForChanges(since: anchor, timeout: Self.longWait)
            }
            try await trial.plant(["a.txt": "a"])
            trial.expect(try await isNew, "there is nothing new")
            let changes = try await tracking.changes(since: anchor).changes
            trial.expect(!changes.isEmpty, "there are no changes after the wait")
        },
        Self("tracking.wait-cancelled", "a wait that is cancelled throws CancellationError", needs: tracked) { trial in
            let tracking = try trial.tracking
            let anchor = try await tracking.currentAnchor()
            await trial.expectCancellation(of: "a wait in a cancelled task") {
                try await inCancelledTask { try await tracking.waitForChanges(since: anchor, timeout: Self.longWait) }
            }
            // Unstructured on purpose: a task of its own can be cancelled alone.
            let waiting = Task { try await tracking.waitForChanges(since: anchor, timeout: Self.longWait) }
            await Task.yield()
            waiting.cancel()
            await trial.expectCancellation(of: "a wait that is cancelled") { try await waiting.value }
        },
        Self(
            "tracking.wait-unknown-anchor",
            "a wait since an anchor that the storage does not know throws AnchorExpiredError",
            needs: tracked
        ) {
            trial in
            await trial.expectError("AnchorExpiredError", of: "waiting", where: { $0 is AnchorExpiredError }) {
                try await trial.tracking.waitForChanges(
                    since: ChangeAnchor(token: "ferry-unknown"),
                    timeout: Self.longWait
                )
            }
        },
    ]

    /// A time that no rule waits for.
    private static let longWait = Duration.seconds(86_400)
}
