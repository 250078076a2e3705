#include "src/cluster/beat_watch.hpp"

#include <algorithm>

namespace smsrack::cluster {

void BeatWatch::look(std::span<const ports::BoxRow> fleet, SteadyTime asked, SteadyTime heard) {
    std::map<BoxNumber, Seen> seen;
    for (const ports::BoxRow& row : fleet) {
        const auto before = seen_.find(row.box);
        const bool is_same = before != seen_.end() && before->second.beats == row.beats;
        Seen& now = seen[row.box];
        now = is_same ? before->second
                      : Seen{.beats = row.beats, .first_heard = heard, .last_asked = heard};
        now.has_beaten = before != seen_.end() && (before->second.has_beaten || !is_same);
        now.epoch = row.epoch;  // grows by a take-over too, which is no sign of life
        now.last_asked = std::max(now.last_asked, asked);
    }
    seen_ = std::move(seen);
}

std::optional<SteadyTime::duration> BeatWatch::silence(BoxNumber box) const {
    const auto seen = seen_.find(box);
    if (seen == seen_.end()) {
        return std::nullopt;
    }
    return seen->second.last_asked - seen->second.first_heard;
}

bool BeatWatch::has_beaten(BoxNumber box) const {
    const auto seen = seen_.find(box);
    return seen != seen_.end() && seen->second.has_beaten;
}

std::vector<BeatWatch::Silent> BeatWatch::silent_for(SteadyTime::duration length) const {
    std::vector<Silent> silent;
    for (const auto& [box, seen] : seen_) {
        if (seen.last_asked - seen.first_heard >= length) {
            silent.push_back({.seat = {.box = box, .epoch = seen.epoch}, .beats = seen.beats});
        }
    }
    return silent;
}

}  // namespace smsrack::cluster
