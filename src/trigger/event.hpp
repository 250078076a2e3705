/// An incoming event, and the verdict on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

/// What a trigger reads of an event besides its number and topic. A member that it does not read may be anything.
struct EventForm {
    std::vector<std::string> fields = {};  ///< kept as texts, in the order of Event::fields
    bool time = false;                     ///< the trigger has a limit of age
    bool tag = false;                      ///< its share differs by tag
    bool place = false;  ///< it has a table of places: an event may say one instead of a topic
};

/// One event, as it came. The views are looked at within Engine::offer() only; data() of an absent member is null.
struct Event {
    std::uint64_t line = 0;  ///< of the feed, from 1: named where the event is bad
    std::string_view number;
    std::string_view topic;  ///< absent where a place is there instead
    /// In the order of EventForm::fields; data() of an absent one is null.
    std::span<const std::string_view> fields = {};
    std::string_view time = {};  ///< when it happened; see event_age.hpp
    std::string_view tag = {};   ///< of its user: 1 to 64 characters; see label.hpp
    std::string_view cell = {};  ///< where it happened: the id of a cell,
    std::string_view lat = {};   ///< or a point in degrees; see places.hpp
    std::string_view lon = {};
};

enum class Verdict : std::uint8_t {
    fresh,     ///< "new": it has a message, on disk
    seen,      ///< its pair has, or had, a message
    outside,   ///< its number is not in the trigger's share
    refused,   ///< a rule of the operator forbids the message; nothing is claimed
    bad,       ///< it says no pair
    too_old,   ///< it happened longer ago than the trigger's limit; nothing is claimed
    no_topic,  ///< the table of places has none for where it happened; nothing is claimed
};
/// A new verdict is added last: feed marks count on it.
inline constexpr std::size_t verdict_count = 7;
inline constexpr std::array<std::string_view, verdict_count> verdict_names{
    "new", "seen", "outside", "refused", "bad", "too_old", "no_topic"};

inline constexpr std::size_t bad_samples_max = 20;

struct BadEvent {
    std::uint64_t line = 0;
    std::string why = {};  ///< no text, no number
};

/// Of some events. What is not bad was accepted.
struct Counts {
    std::array<std::uint64_t, verdict_count> by_verdict = {};
    /// The first bad and refused ones by their lines, bad_samples_max at most.
    std::vector<BadEvent> samples = {};

    [[nodiscard]] std::uint64_t of(Verdict verdict) const {
        return by_verdict.at(static_cast<std::size_t>(verdict));
    }
    [[nodiscard]] std::uint64_t accepted() const {
        return std::accumulate(by_verdict.begin(), by_verdict.end(), std::uint64_t{0}) -
               of(Verdict::bad);
    }
    void count(Verdict verdict, std::uint64_t events = 1) {
        by_verdict.at(static_cast<std::size_t>(verdict)) += events;
    }
    /// In whatever order they are decided, the same are kept.
    void sample(std::uint64_t line, std::string why) {
        const auto place = std::ranges::upper_bound(samples, line, {}, &BadEvent::line);
        if (place == samples.end() && samples.size() == bad_samples_max) {
            return;
        }
        samples.insert(place, {.line = line, .why = std::move(why)});
        if (samples.size() > bad_samples_max) {
            samples.pop_back();
        }
    }
    void add(const Counts& other) {
        for (std::size_t i = 0; i < verdict_count; ++i) {
            by_verdict.at(i) += other.by_verdict.at(i);
        }
        for (const BadEvent& bad : other.samples) {
            sample(bad.line, bad.why);
        }
    }
};

}  // namespace smsrack::trigger
