/// What this box asks other boxes for people who want to see those, and what it answers them: letters through the engine, of
/// which that box is notified.
///
/// Time:    a question without an answer has failed after `within`. One that is older, or that was heard already, is not answered.
/// Bound:   open_max questions of this box: share_max of each caller, and the last two are an administrator's. Of other boxes'
///          answers_max wait; their answers leave one after the other, so that the beats of this box do not wait behind them all.
/// Errors:  not_found: no such box; conflict: it is this one, or does not run; busy: too many questions; timeout; cluster_away.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/question_form.hpp"
#include "src/cluster/seat_keeper.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace smsrack::cluster {

/// Gives the answer of this box to a question of another one, on any thread, once. Empty: it answers none.
using AnswerQuestion =
    std::function<void(ports::BoxQuestion, std::function<void(ports::BoxAnswer)>)>;

class Questions {
public:
    static constexpr std::size_t open_max = 8;
    static constexpr std::size_t share_max = 3;
    static constexpr std::size_t answers_max = 16;
    static constexpr std::chrono::seconds within{10};

    /// All outlive the object, and so does it the answers that it is owed.
    Questions(const FleetWorld& world, SeatKeeper& seat, AnswerQuestion answer)
        : world_(world), seat_(seat), answer_(std::move(answer)) {}

    void ask(const std::string& box, ports::BoxQuestion question, const ports::BoxAsker& by,
             ports::Done<ports::BoxAnswer> done);
    void heard(QuestionLetter letter);
    void heard(AnswerLetter letter);

    /// Ends what is overdue, and replies where there is a seat again; returns when it wants to be called again.
    SteadyTime step(SteadyTime now);
    /// Ends all that wait for an answer.
    void end();

private:
    struct Open {
        ports::Seat by = {};
        std::string box = {};
        std::string asker = {};
        SteadyTime until = {};
        ports::Done<ports::BoxAnswer> done;
    };
    struct Reply {
        QuestionMark mark = {};
        ports::BoxAnswer answer = {};
        SteadyTime until = {};  // someone waits for it, at most
    };

    [[nodiscard]] Result<BoxNumber> asked(const std::string& box, const ports::BoxAsker& by) const;
    [[nodiscard]] bool is_fresh(const QuestionLetter& letter) const;
    void send_question(BoxNumber to, const QuestionLetter& letter);
    void finish(std::int64_t number, Result<ports::BoxAnswer> answer);
    void reply(Reply reply);
    void send_reply();
    void drop_old();

    const FleetWorld& world_;
    SeatKeeper& seat_;
    const AnswerQuestion answer_;
    std::map<std::int64_t, Open> open_ = {};  // by number, which grows with time
    std::int64_t asked_ = 0;
    std::map<BoxNumber, QuestionMark> heard_ = {};  // the newest of each box
    std::size_t answering_ = 0;
    std::deque<Reply> replies_ = {};
    unsigned returns_ = 0;  // SeatKeeper::returns() of heard_
    bool sends_ = false;    // a reply is on its way to the engine
};

}  // namespace smsrack::cluster
