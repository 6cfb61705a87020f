import FerryCore
import FerryUndo
import Foundation

/// The commands that were given, as far as they are remembered: the latest last.
struct History {
    /// The operations of one command.
    struct Group {
        let id: UUID
        var header: HistoryHeader
        /// The operations in their order, without those that were taken back.
        var entries: [HistoryEntry]
        /// Entries whose last step somebody was about to take back when last heard of, with the names of what attempts at
        /// that keep, the latest last.
        var turning: [UUID: [String]] = [:]
        /// Bytes that are kept for it, by what locations on the storages begin with; of this machine's also when it is
        /// nothing.
        var keeps: [String: Int64] = [:]
        var hasEnded = false
        var isDropped = false
        /// Indicates whether its entries were read: those of old groups are left out.
        var isRead = true

        /// Bytes that are kept for it.
        var kept: Int64 { keeps.values.reduce(0, +) }

        /// Indicates whether a process is at work on it.
        var isRunning: Bool { !hasEnded && header.process != .current && header.process.isAlive }

        /// Indicates whether there is anything left to take back.
        var isReversible: Bool { entries.contains { $0.entry.steps.contains(where: \.isReversible) } }
    }

    private(set) var groups: [Group] = []

    /// Lines that make no sense: of another version, or damaged.
    private(set) var strangeLines = 0

    /// Reads lines.
    ///
    /// - Parameters:
    ///   - lines: In the order in which they were written.
    ///   - latest: Of how many groups, the latest, the entries are read: that takes long where there are many.
    init(lines: [Substring.UTF8View], latest: Int = .max) {
        let decoder = JSONDecoder()
        var known: Set<Substring> = []
        let begins = lines.indices.filter { index in
            lines[index].first == UInt8(ascii: "B") && known.insert(Substring(lines[index].prefix(38))).inserted
        }
        let first = latest >= begins.count ? 0 : latest == 0 ? lines.count : begins[begins.count - latest]
        var places: [UUID: Int] = [:]
        var entries: [UUID: (group: Int, entry: Int)] = [:]
        // A line that can't be read, of another version or damaged, is counted, and whoever lists the history hears of it;
        // what it was about can't be undone.
        for (number, line) in lines.enumerated() {
            let letter = line.first
            if number < first, let letter, "EACPTR".utf8.contains(letter) { continue }
            let text = Substring(line)
            let parts = text.split(separator: " ", maxSplits: 2)
            guard parts.count >= 2, let id = UUID(uuidString: String(parts[1])) else {
                strangeLines += 1
                continue
            }
            let rest = parts.count > 2 ? parts[2] : ""
            if parts[0] == "B", let header = try? decoder.decode(HistoryHeader.self, from: Data(rest.utf8)) {
                if let known = places[id] {
                    // Another process goes on with it. It undoes or redoes the same: older versions wrote something else.
                    let kind = groups[known].header.kind
                    groups[known].header = header
                    groups[known].header.kind = kind
                    groups[known].hasEnded = false
                    continue
                }
                places[id] = groups.count
                groups.append(Group(id: id, header: header, entries: [], isRead: number >= first))
                continue
            }
            guard let index = places[id] else {
                strangeLines += 1
                continue
            }
            switch parts[0] {
            case "E", "A":
                guard number >= first, let entry = try? decoder.decode(HistoryEntry.self, from: Data(rest.utf8)) else {
                    strangeLines += 1
                    continue
                }
                if let known = entries[entry.entry.id] {
                    if parts[0] == "E" {
                        groups[known.group].entries[known.entry] = entry
                    } else {
                        groups[known.group].entries[known.entry].entry.steps += entry.entry.steps
                    }
                } else {
                    entries[entry.entry.id] = (index, groups[index].entries.count)
                    groups[index].entries.append(entry)
                }
            case "P":
                let words = rest.split(separator: " ")
                guard words.count == 2, let id = UUID(uuidString: String(words[0])) else {
                    strangeLines += 1
                    continue
                }
                groups[index].turning[id, default: []].append(String(words[1]))
            case "C":
                guard let known = UUID(uuidString: String(rest)).flatMap({ entries[$0] }) else {
                    strangeLines += 1
                    continue
                }
                groups[known.group].entries[known.entry].entry.isComplete = true
            case "T":
                let words = rest.split(separator: " ")
                guard words.count == 2, let id = UUID(uuidString: String(words[0])), let left = Int(words[1]) else {
                    strangeLines += 1
                    continue
                }
                groups[index].turning[id] = nil
                guard let known = entries[id] else {
                    if groups[index].isRead { strangeLines += 1 }
                    continue
                }
                let steps = groups[known.group].entries[known.entry].entry.steps
                groups[known.group].entries[known.entry].entry.steps = Array(steps.prefix(max(0, left)))
            case "R":
                guard let renewals = try? decoder.decode([UndoRenewal].self, from: Data(rest.utf8)) else {
                    strangeLines += 1
                    continue
                }
                renew(renewals)
            case "F":
                groups[index].hasEnded = true
                groups[index].keeps[""] = Int64(rest) ?? 0
            case "K":
                let words = rest.split(separator: " ", maxSplits: 1)
                if words.count == 2 { groups[index].keeps[String(words[1])] = Int64(words[0]) ?? 0 }
            case "D" where !rest.isEmpty: groups[index].keeps[String(rest)] = nil
            case "D": groups[index].isDropped = true
            default: strangeLines += 1
            }
        }
        for index in groups.indices { groups[index].entries.removeAll { $0.entry.steps.isEmpty } }
    }

    private mutating func renew(_ renewals: [UndoRenewal]) {
        for group in groups.indices {
            for entry in groups[group].entries.indices {
                let steps = groups[group].entries[entry].entry.steps
                groups[group].entries[entry].entry.steps = steps.map { $0.renewed(renewals) }
            }
        }
    }
}
