/// What the engine keeps, as values, and what each command makes of it. The model of the truth that
/// db/postgres keeps in tables; it shares no code with it, so the same mistake cannot be in both.
///
/// Time: none; who may read what, by the order of the transactions, is Transaction.
#pragma once

#include "src/ports/cluster_engine.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

/// Numbers of one transaction: its own, and that of the oldest one which has not ended; and its time by the
/// engine's own clock.
struct Transaction {
    std::uint64_t number = 0;
    std::uint64_t oldest_open = 0;
    SteadyTime at = {};
};

class EngineState {
public:
    /// Of an empty engine.
    explicit EngineState(std::string name) : engine_{.name = std::move(name), .life = "first"} {}
    EngineState() : EngineState("engine") {}

    Result<BoxNumber> apply(const ports::RegisterBox& command, Transaction by);
    Result<ports::Entry> apply(const ports::EnterFleet& command, Transaction by);
    Result<ports::Fleet> apply(const ports::Beat& command, Transaction by);
    Result<ports::PutAnswers> apply(const ports::PutMessages& command, Transaction by);
    Result<ports::NameSims::Answer> apply(const ports::NameSims& command, Transaction by);
    Result<std::vector<ports::SharedMessage>> apply(const ports::TakeMessages& command,
                                                    Transaction by);
    Result<std::vector<MessageId>> apply(const ports::FirmMessages& command, Transaction by);
    Result<std::vector<MessageId>> apply(const ports::GiveBack& command, Transaction by);
    Result<std::vector<MessageId>> apply(const ports::SettleMessages& command, Transaction by);
    Result<std::size_t> apply(const ports::TakeOver& command, Transaction by);
    Result<std::vector<MessageId>> apply(const ports::TakeFirm& command, Transaction by);
    Result<> apply(const ports::SetLife& command, Transaction by);
    Result<ports::FleetLoad> apply(const ports::ShareLoad& command, Transaction by);
    Result<std::int64_t> apply(const ports::DecideLife& command, Transaction by);
    Result<std::vector<ports::Whereabouts>> apply(const ports::FindMessages& command,
                                                  Transaction by) const;
    Result<std::size_t> apply(const ports::ForgetEnded& command, Transaction by);
    Result<> apply(const ports::Doubt& command, Transaction by);
    Result<> apply(const ports::Rebuild& command, Transaction by);
    Result<bool> apply(const ports::NotePutBack& command, Transaction by);
    Result<> apply(const ports::PutPairs& command, Transaction by);
    Result<ports::RulesKept> apply(const ports::KeepRules& command, Transaction by);
    Result<ports::RulesRead> apply(const ports::ReadRules& command, Transaction by) const;
    Result<> apply(const ports::SendMail& command, Transaction by);
    Result<ports::MailRead> apply(const ports::ReadMail& command, Transaction by);
    static Result<std::vector<ports::EngineFact>> apply(const ports::CheckEngine& command,
                                                        Transaction by);

    // -- for checkers
    struct Row {
        ports::SharedMessage message = {};
        ports::SharedChecks checks = {};
        ports::SharedStage stage = ports::SharedStage::waiting;
        ports::Seat seat = {};
        MessageState state = MessageState::queued;
        SteadyTime put_at = {};
        SteadyTime ended_at = {};
        std::int64_t place = 0;   ///< in the order of the waiting ones
        bool is_decided = false;  ///< by the policy, after its box was silent for long
        BoxNumber ended_of = {};  ///< ended: the box that had it
    };
    [[nodiscard]] const std::map<MessageId, Row>& messages() const { return messages_; }
    [[nodiscard]] const ports::EngineId& engine() const { return engine_; }
    [[nodiscard]] bool is_doubted() const { return is_doubted_; }
    /// By a person, while no box is connected.
    void close() { is_doubted_ = true; }
    /// Letters that were ever sent.
    [[nodiscard]] std::uint64_t mails() const { return mails_; }
    /// Of all that are waited for.
    [[nodiscard]] bool all_have_put_back() const;
    /// It was put, and is not kept for what holds over all boxes.
    [[nodiscard]] bool has_refused(MessageId id) const { return refused_.contains(id); }
    [[nodiscard]] const std::map<std::string, MessageId>& pairs() const { return pairs_; }
    struct Rule {
        ports::SharedRule rule = {};
        ports::ReadMark mark = {};
    };
    /// Null: there is none.
    [[nodiscard]] const Rule* rule(ports::RuleKind kind, const std::string& subject) const {
        const auto found = rules_.find({kind, subject});
        return found == rules_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] ports::BoxLife life_of(BoxNumber box) const { return boxes_.at(box).row.life; }
    [[nodiscard]] const ports::FleetDecision& decision() const { return decision_; }
    [[nodiscard]] std::int64_t beats_of(BoxNumber box) const { return boxes_.at(box).row.beats; }

private:
    /// What a box has not put back since the last rebuild.
    enum class Owes : std::uint8_t {
        nothing,
        all,           // and the others wait for it
        all_and_dead,  // the policy decides what it may have begun
        all_later,     // no box waits for it
    };
    struct Box {
        ports::BoxRow row = {};
        std::string key = {};
        Owes owes = Owes::nothing;
    };
    struct Letter {
        BoxNumber to = {};
        std::string form = {};
        ports::ReadMark mark = {};
        SteadyTime at = {};
    };

    struct Sim {
        BoxNumber box = {};  // that named it last
        bool is_present = false;
        std::string group = {};
        std::map<BoxNumber, std::string> counts = {};
        // The number of each is its place, from 1.
        std::vector<std::pair<ports::SimRecipient, BoxNumber>> recipients = {};
    };

    [[nodiscard]] Result<> may_write(ports::Seat seat) const;
    [[nodiscard]] ports::PutAnswer put(ports::Seat seat, const ports::PutMessage& put,
                                       Transaction by);
    [[nodiscard]] ports::PutAnswer checked(const ports::PutMessage& put) const;
    [[nodiscard]] bool holds(ports::RuleKind kind, const std::string& subject) const;
    [[nodiscard]] bool may_have(const ports::NameSims& command, const Sim& sim) const;
    [[nodiscard]] ports::NameSims::Named named(const ports::NameSims& command,
                                               const ports::SharedSim& shared);
    [[nodiscard]] bool may_take(const ports::TakeMessages& command, const Row& row,
                                Transaction by) const;
    std::size_t release_held(BoxNumber box);
    void end_seats(BoxNumber but);
    [[nodiscard]] bool decide_of_dead(std::size_t limit);
    [[nodiscard]] Result<Box*> silent(ports::Seat from, std::int64_t beats);
    [[nodiscard]] ports::ReadMark next_mark(Transaction by) { return {by.number, ++number_}; }

    ports::EngineId engine_ = {};
    bool is_doubted_ = false;
    std::map<BoxNumber, Box> boxes_ = {};
    std::map<MessageId, Row> messages_ = {};
    std::set<MessageId> refused_ = {};
    std::map<std::string, MessageId> refs_ = {};
    std::map<std::string, MessageId> pairs_ = {};
    std::map<std::string, Sim> sims_ = {};
    struct KnownSim {
        std::string iccid = {};
        SteadyTime at = {};
    };
    std::map<std::string, KnownSim> known_sims_ = {};  // by SharedChecks::recipient
    std::map<std::pair<ports::RuleKind, std::string>, Rule> rules_ = {};
    std::map<BoxNumber, std::int64_t> rule_marks_ = {};  // the newest of each box's own count
    std::vector<Letter> mail_ = {};
    std::uint64_t mails_ = 0;
    std::map<BoxNumber, std::string> loads_ = {};
    ports::FleetDecision decision_ = {};
    std::int64_t number_ = 0;  // of rules, mail and places
};

}  // namespace smsrack::test
