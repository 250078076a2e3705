#include "src/api/submit/refusal_notes.hpp"

#include "src/rules/verdict.hpp"

#include <utility>

namespace smsrack::api {

void RefusalNotes::note(std::string_view client, OwnerId owner, const Error& error) {
    const std::string_view rule = rules::rule_of(error);
    if (rule.empty()) {
        return;
    }
    const WallTime now = clock_.wall();
    Key key{client, client.empty() ? owner : OwnerId{}, rule, ports::day_of(now)};
    if (counts_.size() >= entries_max && !counts_.contains(key)) {
        key = Key(std::string(), OwnerId{}, rule, ports::day_of(now));
    }
    const auto [entry, is_new] =
        counts_.try_emplace(key, ports::RefusalCount{.client = std::get<0>(key),
                                                     .owner = std::get<1>(key),
                                                     .rule = std::get<2>(key),
                                                     .first_at = now});
    ++entry->second.count;
    entry->second.last_at = now;
    if (write_at_ == never) {
        write_at_ = clock_.steady() + write_within;
        if (told_) {
            told_(write_at_);
        }
    }
}

SteadyTime RefusalNotes::step(SteadyTime now) {
    if (now >= write_at_) {
        write();
    }
    return write_at_;
}

void RefusalNotes::write() {
    write_at_ = never;
    if (counts_.empty()) {
        return;
    }
    ports::NoteRefusals noted;
    for (auto& [key, count] : std::exchange(counts_, {})) {
        noted.refusals.push_back(std::move(count));
    }
    store_.post(std::move(noted));
}

}  // namespace smsrack::api
