#include "db/postgres/engine_loop.hpp"

#include "db/postgres/sql_text.hpp"
#include "db/postgres/statements.hpp"
#include "src/base/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::postgres {
namespace {

constexpr std::size_t octets_per_second = 4'000;

std::chrono::milliseconds time_of(const std::string& text) {
    return std::chrono::milliseconds(text.size() * 1'000 / octets_per_second);
}

}  // namespace

EngineLoop::EngineLoop(const PqLibrary& pq, std::vector<ConnectValues> hosts, EngineTimes times,
                       SocketWaiter& waiter, const Clock& clock, Log& log)
    : pq_(pq),
      hosts_(std::move(hosts)),
      times_(times),
      waiter_(waiter),
      log_(log),
      posted_(waiter),
      next_attempt_(clock.steady()) {}

SteadyTime EngineLoop::step(SteadyTime now) {
    take_posted(now);
    if (!link_ && now >= next_attempt_) {
        connect(now);
    }
    if (link_) {
        link_->step();
        watch_connecting(now);
    }
    if (link_ && link_->state() == PqLink::State::open) {
        read_results(now);
    }
    if (link_ && noticed_) {
        for (const ports::EngineNotice notice : link_->take_notices()) {
            noticed_(notice);
        }
    }
    if (link_ && now >= limit_) {
        lose(now, "it does not answer in time");
    }
    waiter_.watch(link_ ? link_->socket() : -1, link_ && link_->wants_to_write());
    return deadline();
}

SteadyTime EngineLoop::deadline() const {
    return link_ ? limit_ : next_attempt_;
}

void EngineLoop::take_posted(SteadyTime now) {
    posted_.take_all(taken_);
    for (auto& job : taken_) {
        take(std::move(job), now);
    }
}

void EngineLoop::take(std::unique_ptr<EngineJob> job, SteadyTime now) {
    const Sql& sql = job->sql();
    if (has_nul(sql.text) || has_nul(sql.secret)) {
        return job->fail({.code = Errc::bad_encoding, .context = "engine: a text has a NUL"});
    }
    // The server would refuse all that goes to it at the same time.
    if (!is_utf8(sql.text) || !is_utf8(sql.secret)) {
        return job->fail({.code = Errc::bad_encoding, .context = "engine: a text is not UTF-8"});
    }
    if (!is_connected()) {
        Error error = closed(why_away_);
        error.retry_after = std::chrono::ceil<std::chrono::milliseconds>(
            std::max(next_attempt_ - now, SteadyTime::duration(times_.pause_min)));
        return job->fail(std::move(error));
    }
    if (must_enter_ && job->need() == Need::seat) {
        return job->fail(closed("the connection was lost: enter the fleet again"));
    }
    if (queue_.size() >= queue_max) {
        return job->fail({.code = Errc::queue_full,
                          .context = "engine: too many commands wait",
                          .retry_after = times_.pause_min});
    }
    queue_.push_back(std::move(job));
}

void EngineLoop::connect(SteadyTime now) {
    ++attempts_;
    knows_schema_ = false;
    limit_ = now + times_.connect;
    link_ = std::make_unique<PqLink>(pq_, hosts_[host_], [this] { window_.on_warning(); });
}

void EngineLoop::watch_connecting(SteadyTime now) {
    if (link_->state() == PqLink::State::lost) {
        return lose(now, link_->why_lost());
    }
    if (link_->state() == PqLink::State::open && !knows_schema_ && link_->is_done()) {
        link_->send(
            "LISTEN smsrack_rules;LISTEN smsrack_mail;"
            "SELECT max(number) FROM smsrack.schema_steps");
    }
}

void EngineLoop::read_results(SteadyTime now) {
    while (auto rows = link_->next()) {
        if (!knows_schema_) {
            if (rows->is_error()) {
                return lose(now, std::string(rows->message()));
            }
            if (rows->size() == 0) {
                continue;  // of LISTEN
            }
            if (rows->number(0, 0) < known_schema()) {
                return lose(now, fmt::format("it has schema {}, this release needs {}: run "
                                             "`smsrack cluster join`",
                                             rows->number(0, 0), known_schema()));
            }
            continue;
        }
        window_.on_result(*rows, queue_);
        if (window_.has_entered()) {
            must_enter_ = false;
        }
    }
    if (link_->state() == PqLink::State::lost) {
        return lose(now, link_->why_lost());
    }
    if (link_->is_done()) {
        if (!std::exchange(knows_schema_, true)) {
            attempts_ = 0;
            is_told_ = false;
            is_connected_ = true;
            log_.info("engine_connected");
        }
        window_.on_end(queue_);
        if (window_.has_entered()) {
            must_enter_ = false;
        }
        send_next(now);
    }
}

void EngineLoop::send_next(SteadyTime now) {
    const bool rolls_back = link_->must_roll_back();
    limit_ = never;
    if (queue_.empty() && !rolls_back) {
        return;
    }
    const std::string text = window_.begin(queue_, rolls_back);
    limit_ = now + times_.answer + time_of(text);
    link_->send(text, window_.secret());
    if (link_->state() == PqLink::State::lost) {
        lose(now, link_->why_lost());
    }
}

void EngineLoop::lose(SteadyTime now, std::string why) {
    link_.reset();
    limit_ = never;
    why_away_ = std::move(why);
    if (!std::exchange(is_told_, true)) {
        log_.warn("engine_away", {{"why", why_away_}});
    }
    host_ = (host_ + 1) % hosts_.size();
    // Each host once without a pause.
    const std::size_t rounds = attempts_ / hosts_.size();
    const bool is_within_round = attempts_ % hosts_.size() != 0;
    const auto pause = times_.pause_min * (std::int64_t{1} << std::min<std::size_t>(rounds, 10));
    next_attempt_ = now;
    if (!is_within_round) {
        next_attempt_ += std::min<SteadyTime::duration>(pause, times_.pause_max);
    }
    is_connected_ = false;
    // Their completions may post again: that is answered closed in the next step.
    (void)window_.on_loss();
    must_enter_ = true;
    for (auto& job : std::exchange(queue_, {})) {
        job->fail(closed(why_away_));
    }
}

void EngineLoop::close() {
    link_.reset();
    is_connected_ = false;
    why_away_ = "this box stops";
    (void)window_.on_loss();
    for (auto& job : std::exchange(queue_, {})) {
        job->fail(closed(why_away_));
    }
    take_posted(next_attempt_);
}

}  // namespace smsrack::postgres
