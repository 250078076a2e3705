#include "tests/fleet/model/engine_model.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace smsrack::test {

namespace {

using Answer = std::move_only_function<void()>;

/// A command on its way, whatever its type.
struct Sent {
    std::move_only_function<Answer(EngineState&, Transaction)> run;
    std::move_only_function<void(Error)> fail;
    bool needs_seat = true;
    bool enters = false;
    // Locks the seat's row: it commits, and waits for the standby, also where it only reads.
    bool fences = true;
    bool writes = true;
    bool may_be_held = false;  // its commit
    std::set<ports::EngineNotice> tells = {};
};

template <typename Command>
constexpr bool only_reads =
    std::same_as<Command, ports::FindMessages> || std::same_as<Command, ports::ReadRules> ||
    std::same_as<Command, ports::CheckEngine>;

using Notices = std::set<ports::EngineNotice>;

template <typename Command>
Notices notices_of(const Command& /*command*/) {
    return {};
}
Notices notices_of(const ports::KeepRules& /*command*/) {
    return {{}};
}
Notices notices_of(const ports::SendMail& command) {
    Notices notices;
    for (const ports::Mail& mail : command.mail) {
        if (command.hurries) {
            notices.insert({.mail_to = mail.to});
        }
    }
    return notices;
}

template <typename Command>
Sent sent(ports::Posted<Command> posted) {
    auto shared = std::make_shared<ports::Posted<Command>>(std::move(posted));
    return {.run = [shared](EngineState& state, Transaction by) -> Answer {
                return [shared, result = state.apply(shared->command, by)]() mutable {
                    shared->answer(std::move(result));
                };
            },
            .fail = [shared](Error error) { shared->answer(std::unexpected(std::move(error))); },
            .needs_seat = !std::same_as<Command, ports::CheckEngine> &&
                          !std::same_as<Command, ports::RegisterBox> &&
                          !std::same_as<Command, ports::EnterFleet>,
            .enters = std::same_as<Command, ports::EnterFleet>,
            .fences = !std::same_as<Command, ports::CheckEngine>,
            .writes = !only_reads<Command>,
            .may_be_held =
                std::same_as<Command, ports::KeepRules> || std::same_as<Command, ports::SendMail>,
            .tells = notices_of(shared->command)};
}

Error closed() {
    return {.code = Errc::closed, .context = "the engine does not answer"};
}
Error unknown() {
    return {.code = Errc::outcome_unknown, .context = "the engine did not say what it did"};
}

}  // namespace

/// The connection of one box.
class EngineModel::Link final : public ports::ClusterEngine {
public:
    explicit Link(EngineModel& engine) : engine_(engine) {}

    void on_notice(std::function<void(ports::EngineNotice)> noticed) override {
        noticed_ = std::move(noticed);
    }
    /// It does not come over a link that is cut.
    void notify(ports::EngineNotice notice, SteadyTime now) {
        if (!is_broken_ && cut_ != Cut::both && cut_ != Cut::answers) {
            notices_.insert(notice);
            notice_at_ = std::max(now + engine_.times.trip, carries_at_);
        }
    }

    SteadyTime step(SteadyTime now) {
        reconnect(now);
        if (notice_at_ <= now) {
            notice_at_ = never;
            for (const ports::EngineNotice notice : std::exchange(notices_, {})) {
                if (noticed_) {
                    noticed_(notice);
                }
            }
        }
        while (!queue_.empty() && due_ <= now) {
            advance(now);
        }
        for (Sent& job : std::exchange(refused_, {})) {
            job.fail(closed());
        }
        return !refused_.empty()
                   ? now
                   : std::min(notice_at_, queue_.empty() ? never : std::max(due_, engine_.up_at_));
    }

    /// Those that were sent may have been carried out.
    void break_off() {
        is_broken_ = true;
        must_enter_ = true;
        notice_at_ = never;
        notices_.clear();
        if (open_ != 0) {
            engine_.open_.erase(std::exchange(open_, 0));
        }
        answer_ = {};
        refusal_.reset();
        const bool first_was_sent = stage_ != Stage::idle;
        stage_ = Stage::idle;
        auto lost = std::exchange(queue_, {});
        for (std::size_t i = 0; i < lost.size(); ++i) {
            lost[i].fail(i == 0 && first_was_sent ? unknown() : closed());
        }
    }

    void cut(Cut how) { cut_ = how; }
    void stall(SteadyTime until) { carries_at_ = std::max(carries_at_, until); }

    void hold(bool held, SteadyTime now) {
        is_held_ = held;
        if (!held && stage_ == Stage::open && due_ == never) {
            due_ = now;
        }
    }

private:
    enum class Stage : std::uint8_t { idle, asking, open, answering, silent };

    void take(Call&& call) override {
        Sent job =
            std::visit([](auto&& posted) { return sent(std::move(posted)); }, std::move(call));
        const SteadyTime now = engine_.clock_.steady();
        reconnect(now);
        if (is_broken_) {
            // Not within the call of who asks.
            due_ = queue_.empty() ? now + engine_.times.trip : due_;
            queue_.push_back(std::move(job));
            stage_ = Stage::idle;
            return;
        }
        if (must_enter_ && job.needs_seat) {
            refused_.push_back(std::move(job));
            return;
        }
        queue_.push_back(std::move(job));
        if (queue_.size() == 1) {
            begin(now);
        }
    }

    void reconnect(SteadyTime now) {
        if (is_broken_ && queue_.empty() && engine_.is_up(now) && cut_ == Cut::none) {
            is_broken_ = false;
        }
    }

    void begin(SteadyTime now) {
        if (queue_.empty()) {
            return;
        }
        stage_ = Stage::asking;
        due_ = now + engine_.times.trip;
    }

    void go_silent(SteadyTime now) {
        ++engine_.faults_.cut_off;
        stage_ = Stage::silent;
        due_ = now + engine_.times.notices;
    }

    void advance(SteadyTime now) {
        if (is_broken_) {
            auto job = std::move(queue_.front());
            queue_.pop_front();
            due_ = now;
            return job.fail(closed());
        }
        switch (stage_) {
            case Stage::idle:
                return begin(now);
            case Stage::asking:
                return arrive(now);
            case Stage::open:
                return carry_out(now);
            case Stage::answering:
                return give_answer(now);
            case Stage::silent:
                return break_off();
        }
    }

    void arrive(SteadyTime now) {
        if (now < carries_at_) {
            due_ = carries_at_;
            return;
        }
        if (cut_ == Cut::both || cut_ == Cut::requests) {
            return go_silent(now);
        }
        if (!engine_.is_up(now)) {
            due_ = engine_.up_at_;  // a stall
            return;
        }
        if (engine_.happens(engine_.chances.lost_before)) {
            ++engine_.faults_.lost_before;
            return break_off();
        }
        open_ = ++engine_.last_transaction_;
        engine_.open_.insert(open_);
        stage_ = Stage::open;
        due_ = is_held_ && queue_.front().may_be_held ? never : now + engine_.time_of_one();
    }

    void carry_out(SteadyTime now) {
        if (!engine_.is_up(now)) {
            due_ = engine_.up_at_;
            return;
        }
        Sent& job = queue_.front();
        const std::uint64_t number = std::exchange(open_, 0);
        if (engine_.disk_full_ && job.writes) {
            ++engine_.faults_.disk_full;
            return refuse(number, {.code = Errc::storage, .context = "the engine's disk is full"},
                          now);
        }
        if (engine_.happens(engine_.chances.refused)) {
            ++engine_.faults_.refused;
            return refuse(number, closed(), now);
        }
        if (job.fences) {
            engine_.commit(now, number);
        }
        answer_ = job.run(engine_.state_,
                          {.number = number, .oldest_open = *engine_.open_.begin(), .at = now});
        engine_.open_.erase(number);
        for (const ports::EngineNotice notice : job.tells) {
            engine_.notify(notice, now);
        }
        const bool warned = job.fences && now < engine_.standby_at_;
        if (warned) {
            refusal_ = unknown();
        }
        if (engine_.happens(engine_.chances.lost_after)) {
            ++engine_.faults_.lost_after;
            return break_off();
        }
        stage_ = Stage::answering;
        due_ = now + engine_.times.trip;
    }

    void refuse(std::uint64_t number, Error error, SteadyTime now) {
        engine_.open_.erase(number);
        refusal_ = std::move(error);
        stage_ = Stage::answering;
        due_ = now + engine_.times.trip;
    }

    void give_answer(SteadyTime now) {
        if (now < carries_at_) {
            due_ = carries_at_;
            return;
        }
        if (cut_ == Cut::both || cut_ == Cut::answers) {
            return go_silent(now);
        }
        Sent job = std::move(queue_.front());
        queue_.pop_front();
        auto answer = std::exchange(answer_, {});
        const auto refusal = std::exchange(refusal_, std::nullopt);
        must_enter_ = must_enter_ && !(job.enters && !refusal);
        stage_ = Stage::idle;
        begin(now);
        if (refusal) {
            job.fail(*refusal);
        } else {
            answer();
        }
    }

    EngineModel& engine_;
    std::function<void(ports::EngineNotice)> noticed_ = {};
    std::set<ports::EngineNotice> notices_ = {};
    SteadyTime notice_at_ = never;
    std::deque<Sent> queue_ = {};
    Stage stage_ = Stage::idle;  // of the first
    SteadyTime due_ = {};        // its next step
    std::uint64_t open_ = 0;     // its transaction
    Answer answer_ = {};
    std::optional<Error> refusal_ = {};  // in place of the answer
    Cut cut_ = Cut::none;
    SteadyTime carries_at_ = {};
    bool is_held_ = false;
    bool is_broken_ = false;
    bool must_enter_ = false;  // the connection is another one than that of the seat
    std::vector<Sent> refused_ = {};
};

EngineModel::EngineModel(const Clock& clock, Random& random, std::size_t links)
    : clock_(clock), random_(random) {
    for (std::size_t i = 0; i < links; ++i) {
        links_.push_back(std::make_unique<Link>(*this));
    }
}

EngineModel::~EngineModel() = default;

ports::ClusterEngine& EngineModel::link(std::size_t box) {
    return *links_.at(box);
}

SteadyTime EngineModel::step(SteadyTime now) {
    SteadyTime next = never;
    for (const auto& link : links_) {
        next = std::min(next, link->step(now));
    }
    return next;
}

void EngineModel::cut(std::size_t box, Cut how) {
    links_.at(box)->cut(how);
}

void EngineModel::stall_link(std::size_t box, std::chrono::milliseconds length) {
    links_.at(box)->stall(clock_.steady() + length);
}

void EngineModel::break_link(std::size_t box) {
    links_.at(box)->break_off();
}

void EngineModel::hold(std::size_t box, bool held) {
    links_.at(box)->hold(held, clock_.steady());
}

void EngineModel::stall(std::chrono::milliseconds length) {
    up_at_ = std::max(up_at_, clock_.steady() + length);
}

std::chrono::milliseconds EngineModel::time_of_one() {
    if (!happens(chances.slow)) {
        return {};
    }
    ++faults_.slow;
    const auto half = times.slow_for / 2;
    return half +
           std::chrono::milliseconds(random_.below(static_cast<std::uint64_t>(half.count()) + 1));
}

void EngineModel::notify(ports::EngineNotice notice, SteadyTime now) {
    for (const auto& link : links_) {
        link->notify(notice, now);
    }
}

void EngineModel::break_all() {
    for (const auto& link : links_) {
        link->break_off();
    }
    open_.clear();
}

void EngineModel::change_primary(std::chrono::milliseconds down) {
    break_all();
    if (standby_) {
        state_ = *std::exchange(standby_, std::nullopt);
        faults_.taken_back += std::exchange(warned_, 0);
    }
    standby_at_ = {};
    stall(down);
}

void EngineModel::lose_standby(std::chrono::milliseconds length) {
    standby_at_ = clock_.steady() + length;
}

void EngineModel::restore(bool is_closed) {
    break_all();
    if (backup_) {
        for (const auto& [id, row] : state_.messages()) {
            if (row.is_decided) {
                decided_.insert(id);
            }
        }
        state_ = backup_->state;
        forgetful_life_ = state_.engine().life;
        last_transaction_ = backup_->last_transaction;
    }
    if (is_closed) {
        state_.close();
    }
    standby_.reset();
}

void EngineModel::replace(std::string name) {
    break_all();
    state_ = EngineState(std::move(name));
    standby_.reset();
}

/// Before a transaction changes the state: what the standby has, should the primary be lost.
void EngineModel::commit(SteadyTime now, std::uint64_t number) {
    faults_.late += number < std::exchange(newest_, std::max(newest_, number)) ? 1 : 0;
    if (now >= standby_at_) {
        standby_.reset();
        warned_ = 0;
        return;
    }
    if (!standby_) {
        standby_ = state_;
    }
    ++warned_;
    ++faults_.warned;
}

}  // namespace smsrack::test
