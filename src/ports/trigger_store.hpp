/// Which pairs of number and topic have had their message: the exact index, durably.
///
/// A pair is claimed in the transaction that makes its message, and its row follows the message's ends in the transactions that
/// make those. What a row means to a trigger (is the pair free again?) is for src/trigger to say.
/// db/sqlite_store implements it, next to ports::Store.
/// Unit:    a number is that of its E.164 digits.
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/base/interface.hpp"
#include "src/ports/command.hpp"
#include "src/ports/question.hpp"
#include "src/sms/message.hpp"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Row of a topic's name in the store, of one trigger; 0: none.
using TopicId = Id<struct TopicTag, std::int32_t>;
inline constexpr std::int32_t topic_ids_end =
    16'384;  ///< every one is below; of all triggers together, for ever

struct Pair {
    TopicId topic = {};
    std::int64_t number = 0;
    friend constexpr auto operator<=>(const Pair&, const Pair&) = default;
};

/// The numbers are stored.
enum class PairState : std::uint8_t {
    claimed = 0,   ///< its message is on its way
    sent = 1,      ///< the network took it, or a part of it
    failed = 2,    ///< its message ended, and certainly its recipient did not get it
    doubtful = 3,  ///< its message ended, and its recipient may have got it
};

struct PairRow {
    Pair pair = {};
    PairState state = PairState::claimed;
    WallTime claimed_at = {};  ///< to the second
    MessageId message = {};
};

/// Which rows prevent a new message. Seconds are compared.
/// One whose message is on its way does, however old: a queue or a pause may be longer than the days.
struct PairRules {
    WallTime forgotten_before = {};  ///< claimed before: as if there was none
    /// failed, and claimed before: free again; absent: never
    std::optional<WallTime> failed_before = {};

    [[nodiscard]] constexpr bool is_forgotten(const PairRow& row) const {
        return row.state != PairState::claimed && row.claimed_at < forgotten_before;
    }
    [[nodiscard]] constexpr bool is_free(const PairRow& row) const {
        return is_forgotten(row) ||
               (row.state == PairState::failed && failed_before && row.claimed_at < *failed_before);
    }
};

/// A pair and the message that it is to have.
struct Claim {
    Pair pair = {};
    PairRules rules = {};
    NewMessage message = {};
    std::string trigger = {};
    /// messages of the trigger that become due in one minute; those beyond wait for the next
    std::optional<std::uint32_t> per_minute = {};
};

struct Claimed {
    bool fresh = false;  ///< the message was made; false: the row prevented it
    PairRow row = {};
    std::optional<WallTime> due_at = {};  ///< of a fresh one: when it goes, where that is later
    std::uint8_t segments = 1;
    std::string batch = {};  ///< of a fresh one: its label; see ClaimPairs
};

/// The name of a topic, as NumberTopics was given it.
struct TopicName {
    TopicId id = {};
    std::string trigger = {};
    std::string name = {};
    /// as its trigger's days were noted last; nullopt: never
    std::optional<std::chrono::seconds> retain = {};
};

/// How long a trigger keeps its pairs.
struct TriggerDays {
    std::string trigger = {};
    std::chrono::seconds retain{0};
};

class TriggerReader : public Interface {
public:
    /// In order of `pairs`; fastest where these are sorted. nullopt for a pair without a row.
    [[nodiscard]] virtual Result<std::vector<std::optional<PairRow>>> find(
        std::span<const Pair> pairs) = 0;
    /// In order, those behind `after`.
    [[nodiscard]] virtual Result<std::vector<PairRow>> pairs(Pair after, std::size_t limit) = 0;
    /// All, by their numbers.
    [[nodiscard]] virtual Result<std::vector<TopicName>> topics() = 0;
};

/// Finds or makes the ids of topic names. Answers in this order; the same names give the same ids
/// for ever. 0: all ids have been given out.
struct NumberTopics {
    using Answer = std::vector<TopicId>;
    std::string trigger = {};
    std::vector<std::string> names = {};
};

/// Claims pairs in one transaction; each claim is answered for itself, in order. Per claim: fresh;
/// or not, if the row is in the way; or what Accept says if the message is refused, and then
/// nothing is claimed. If the message's batch was cancelled, it goes into the first of BATCH.2,
/// BATCH.3 ... that was not, due as if the cancelled ones had no place in any minute.
/// Errors: for all: storage, nothing was claimed; queue_full, the disk is behind: try again later.
struct ClaimPairs {
    static constexpr Lane lane = Lane::intake;
    using Answer = std::vector<Result<Claimed>>;
    std::vector<Claim> claims = {};
};

/// Keeps how long each of these triggers keeps its pairs, for when the configuration has it no
/// more.
struct NoteDays {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
    std::vector<TriggerDays> triggers = {};
};

/// Removes the rows of these pairs that were claimed before `before` and whose messages have ended.
/// Answers how many.
struct ForgetPairs {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = std::size_t;
    std::vector<Pair> pairs = {};
    WallTime before;
};

class TriggerStore : public CommandPort<NumberTopics, ClaimPairs, NoteDays, ForgetPairs>,
                     public QuestionPort<TriggerReader> {};

}  // namespace smsrack::ports
