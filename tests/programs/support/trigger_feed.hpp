/// Feeds events to a trigger as a feeder outside the box does: until each piece is acknowledged,
/// through all kills.
///
/// Unit:    a pair has a number of its own, so that what the network got shows how often it was
///          sent.
/// Threads: one; run() may have one of its own.
#pragma once

#include "tests/support/rack.hpp"
#include "tests/support/seeded_random.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace smsrack::test {

struct FeedPlan {
    int events = 100'000;
    int pairs = 500;
    int cities = 40;
    int events_a_piece = 5'000;
    std::uint64_t seed = 20261121;
};

[[nodiscard]] std::string pair_number(int pair);
[[nodiscard]] std::string city_of(const FeedPlan& plan, int pair);
/// What the file of topics says of a city.
[[nodiscard]] std::string city_text(std::string_view city);
/// Writes that file.
void write_cities(const std::filesystem::path& file, const FeedPlan& plan);

class TriggerFeeder {
public:
    /// `rack` outlives the object.
    TriggerFeeder(const Rack& rack, FeedPlan plan) : rack_(rack), plan_(plan) {}

    /// May send n pieces in all.
    void allow(int pieces) { allowed_ = pieces; }
    [[nodiscard]] int pieces() const { return plan_.events / plan_.events_a_piece; }
    [[nodiscard]] int sent() const { return sent_; }
    [[nodiscard]] bool done() const { return sent_ == pieces(); }

    /// Posts all that is allowed, until done or stopped.
    void run(const std::atomic<bool>& stop);

    // -- of all answers, when done
    [[nodiscard]] std::int64_t fresh() const { return fresh_; }
    [[nodiscard]] std::int64_t seen() const { return seen_; }
    [[nodiscard]] std::int64_t other() const { return other_; }

private:
    [[nodiscard]] std::string piece(int number) const;
    bool post(const std::string& piece);

    const Rack& rack_;
    const FeedPlan plan_;
    std::atomic<int> allowed_ = 0;
    std::atomic<int> sent_ = 0;
    std::int64_t fresh_ = 0;
    std::int64_t seen_ = 0;
    std::int64_t other_ = 0;
};

/// Pairs as they ended. Each has one message, which the network got once; or it is in doubt, and the network got it once at most.
struct PairAccount {
    int sent = 0;
    int doubtful = 0;
    int missing = 0;            ///< no message
    int twice = 0;              ///< the network got it more than once
    int wrong = 0;              ///< another text than its city's, or an end that does not hold
    std::int64_t messages = 0;  ///< in the store
};

/// When nothing is under way any more.
[[nodiscard]] PairAccount audit_pairs(const Rack& rack, const FeedPlan& plan);

/// Feeds the plan, with n kills at random moments of it; then audits.
void kill_during_feed(Rack& rack, const FeedPlan& plan, int kills);

/// Nothing waits and nothing is in doubt that may still be found out.
[[nodiscard]] bool all_ended(const Rack& rack);

}  // namespace smsrack::test
