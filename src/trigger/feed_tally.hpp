/// Counts what one feed has decided since its start, for the API and the metrics.
///
/// Threads: the loop thread.
#pragma once

#include "src/trigger/settings.hpp"
#include "src/trigger/view.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::trigger {

class FeedTally {
public:
    explicit FeedTally(const TriggerSettings& settings) {
        for (const TagShare& one : settings.share_by_tag) {
            tags_.push_back({.tag = one.tag, .share = one.share});
        }
        if (!tags_.empty()) {
            tags_.push_back({.share = settings.share});
        }
    }

    /// `tag`: the place of the event's tag in the shares. `why`: empty, except of a bad or refused
    /// one.
    void count(Verdict verdict, std::size_t tag, std::uint64_t line, std::string_view why) {
        counts_.count(verdict);
        if (!tags_.empty()) {
            tags_[tag].counts.count(verdict);
        }
        if (!why.empty()) {
            last_bad_.push_back({.line = line, .why = std::string(why)});
            if (last_bad_.size() > bad_samples_max) {
                last_bad_.pop_front();
            }
        }
    }
    void count_cached() { ++cached_; }
    void count_looked_up(std::size_t pairs) { looked_up_ += pairs; }
    void count_false_hit() { ++false_hits_; }
    /// The batch label of the last message that was made.
    void note_label(std::string label) { label_ = std::move(label); }

    /// Fills in what is counted here. `view` has the label of the day's first batch already.
    void show(TriggerView& view) const {
        view.counts = counts_;
        view.counts.samples.assign(last_bad_.begin(), last_bad_.end());
        view.tags = tags_;
        view.cached = cached_;
        view.looked_up = looked_up_;
        view.false_hits = false_hits_;
        if (label_.starts_with(view.batch_label)) {
            view.batch_label = label_;  // the day's first one was taken back
        }
    }

private:
    Counts counts_ = {};                  // without samples
    std::vector<TagView> tags_ = {};      // by places of the shares; empty: the share is one
    std::deque<BadEvent> last_bad_ = {};  // the last ones are of use, not the first
    std::uint64_t cached_ = 0;
    std::uint64_t looked_up_ = 0;
    std::uint64_t false_hits_ = 0;
    std::string label_ = {};
};

}  // namespace smsrack::trigger
