import FerryTestServers
import Foundation
import Testing

@Suite("A command that was killed on the way to a server")
struct KilledCommandTests {
    @Test("is undone as far as it came", arguments: ["cp -r", "mv"])
    func killed(_ verb: String) async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            \(served.calm)
            mkdir -p many/{0..4}; for n in {0..249}; do echo $n > many/$((n % 5))/$n; done
            look() { (cd $1; find . -mindepth 1 | sort; find . -type f -print0 | sort -z | xargs -r -0 sha256sum); }
            look many > before; halfway=0; delay=50
            # Ever later, until it comes to its end.
            for turn in {1..200}; do
                $FERRY \(verb) many w:there > /dev/null 2>&1 & pid=$!
                sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
                kill -9 $pid 2>/dev/null; wait $pid; code=$?; calm
                if [ -e '\(served.place.path("there"))' ]; then
                    [ $code = 137 ] && halfway=$((halfway + 1))
                    $FERRY undo --any > out 2>&1 || { cat out; echo "turn $turn"; exit 1; }
                    look many > undone; diff before undone || { echo "turn $turn"; exit 2; }
                    [ ! -e '\(served.place.path("there"))' ] || { echo "turn $turn"; exit 3; }
                fi
                rm -rf $HOME/.local/state/ferry/transfers*
                if [ $code = 137 ]; then delay=$((delay + 50 + (delay > 2000 ? delay / 5 : 0)))
                elif [ $halfway -gt 0 ]; then break; else delay=$((delay / 2)); fi
            done
            [ $halfway -gt 0 ] || exit 4
            """
        )
        #expect(outcome.code == 0, "\(outcome)")
    }
}
