#include "src/trigger/feed_claims.hpp"

#include "src/trigger/batch_times.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace smsrack::trigger {
namespace {

using namespace std::chrono_literals;

// Of one transaction's job: some 0.5 ms of the writing thread.
constexpr std::size_t claims_of_one = 16;
constexpr std::size_t claiming_max = 8;  // jobs under way: as many as share one wait for the disk
constexpr std::chrono::milliseconds retry_usual = 1s;
constexpr std::chrono::milliseconds retry_least = 20ms;
// What holds it back may end sooner than was thought.
constexpr std::chrono::milliseconds retry_most = 30s;

std::string text_of(const Error& error) {
    return std::string(errc_name(error.code)) + ": " + error.context;
}

/// Of a message that the operator, or what was sent before, forbids; coming again would not help soon.
bool is_rule(Errc code) {
    return code == Errc::forbidden || code == Errc::conflict || code == Errc::duplicate;
}

bool is_for_later(Errc code) {
    return code == Errc::queue_full || code == Errc::overloaded || code == Errc::busy;
}

bool is_of_the_event(Errc code) {
    return code == Errc::bad_request || code == Errc::bad_number || code == Errc::bad_encoding ||
           code == Errc::too_long;
}

}  // namespace

FeedClaims::FeedClaims(FeedDesk& desk, const EngineParts& parts,
                       std::move_only_function<void()> turn)
    : desk_(desk), parts_(parts), turn_(std::move(turn)), answers_(parts.loop) {}

void FeedClaims::claim() {
    const SteadyTime now = parts_.clock.steady();
    while (now >= retry_at_ && claiming_ < claiming_max && !waiting_.empty()) {
        const WallTime wall = parts_.clock.wall();
        std::vector<Wanted*> wanted;
        std::vector<ports::Claim> claims;
        while (claims.size() < claims_of_one && now >= retry_at_ && !waiting_.empty()) {
            Wanted& next = *waiting_.front();
            waiting_.pop_front();
            if (auto claim = claim_of(next, wall)) {
                wanted.push_back(&next);
                claims.push_back(*std::move(claim));
            }
        }
        if (claims.empty()) {
            continue;
        }
        ++claiming_;
        parts_.store.post(
            ports::ClaimPairs{std::move(claims)},
            answers_.back<Answers>([this, wanted = std::move(wanted)](Result<Answers> answers) {
                --claiming_;
                claimed(wanted, std::move(answers));
                turn_();
            }));
    }
}

SteadyTime FeedClaims::step(SteadyTime now) {
    if (now >= retry_at_ && !waiting_.empty()) {
        claim();
    }
    return !waiting_.empty() && retry_at_ > now ? retry_at_ : never;
}

void FeedClaims::drop_all(const Error& failure) {
    for (Wanted* const wanted : std::exchange(waiting_, {})) {
        desk_.drop(*wanted, failure);
    }
}

void FeedClaims::show(TriggerView& view) const {
    view.waiting_for = waiting_for_;
    const SteadyTime now = parts_.clock.steady();
    if (retry_at_ > now) {
        view.retry_after = std::chrono::ceil<std::chrono::milliseconds>(retry_at_ - now);
    }
    for (const auto& [due_at, segments] : ahead_) {
        view.ahead += due_at > parts_.clock.wall() ? segments : 0;
    }
}

/// Nullopt if it is decided without the store, or waits at the head again. What waited here may
/// have become too old meanwhile.
std::optional<ports::Claim> FeedClaims::claim_of(Wanted& wanted, WallTime now) {
    if (wanted.fresh_until < parts_.clock.steady()) {
        desk_.resolve(wanted, Verdict::too_old);
        return std::nullopt;
    }
    const TriggerSettings& settings = desk_.settings;
    const std::string number = "+" + std::to_string(wanted.number);
    intake::SubmitRequest request{.to = number,
                                  .text = desk_.book.text(wanted.place, number, wanted.fields),
                                  .group = settings.group,
                                  .not_before = next_batch(now, settings.batch),
                                  .allow_duplicate = true,  // the index knows better
                                  .batch = batch_label(settings.name, now)};
    if (settings.level) {
        request.priority = *settings.level;
    }
    auto message = parts_.intake.prepare(request);
    if (!message) {
        desk_.resolve(wanted, Verdict::bad, text_of(message.error()));
        return std::nullopt;
    }
    if (message->refused) {
        desk_.resolve(wanted, Verdict::refused, text_of(*message->refused));
        return std::nullopt;
    }
    if (const auto later = parts_.intake.overloaded(*message, ahead(now))) {
        waiting_.push_front(&wanted);
        wait(WaitingFor::overload, later->retry_after);
        return std::nullopt;
    }
    wanted.due_at = message->not_before.value_or(now);
    wanted.segments = message->segments;
    ahead_[wanted.due_at] += wanted.segments;
    return ports::Claim{.pair = desk_.pair_of(wanted),
                        .rules = desk_.rules(),
                        .message = *std::move(message),
                        .trigger = settings.name,
                        .per_minute = settings.per_minute};
}

void FeedClaims::claimed(std::span<Wanted* const> wanted, Result<Answers> answers) {
    std::vector<Wanted*> again;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!take_answer(*wanted[i],
                         answers ? std::move((*answers)[i])
                                 : Result<ports::Claimed>(std::unexpected(answers.error())))) {
            again.push_back(wanted[i]);
        }
    }
    waiting_.insert(waiting_.begin(), again.begin(), again.end());
    if (again.empty() && parts_.clock.steady() >= retry_at_) {
        waiting_for_ = WaitingFor::nothing;
    }
}

bool FeedClaims::take_answer(Wanted& wanted, Result<ports::Claimed> answer) {
    if (!answer || !answer->fresh || (answer->due_at && *answer->due_at != wanted.due_at)) {
        not_ahead(wanted);  // it is not of that batch
    }
    if (!answer) {
        return take_error(wanted, answer.error());
    }
    if (answer->fresh) {
        desk_.tally.note_label(std::move(answer->batch));
        if (desk_.settings.verify) {
            desk_.filters->insert(key_of(answer->row.pair));
        }
    } else {
        desk_.learn(answer->row);
    }
    desk_.resolve(wanted, answer->fresh ? Verdict::fresh : Verdict::seen);
    return true;
}

bool FeedClaims::take_error(Wanted& wanted, const Error& error) {
    if (is_for_later(error.code)) {
        wait(error.code == Errc::overloaded ? WaitingFor::overload : WaitingFor::capacity,
             error.retry_after);
        return false;
    }
    if (is_rule(error.code)) {
        desk_.resolve(wanted, Verdict::refused, text_of(error));
    } else if (is_of_the_event(error.code)) {
        desk_.resolve(wanted, Verdict::bad, text_of(error));
    } else {
        desk_.drop(wanted, error);
    }
    return true;
}

void FeedClaims::wait(WaitingFor what, std::optional<std::chrono::milliseconds> time) {
    waiting_for_ = what;
    retry_at_ = std::max(retry_at_, parts_.clock.steady() + std::clamp(time.value_or(retry_usual),
                                                                       retry_least, retry_most));
    if (parts_.alarm) {
        parts_.alarm(retry_at_);
    }
}

/// When they are due, the store counts them as work.
std::uint32_t FeedClaims::ahead(WallTime now) {
    ahead_.erase(ahead_.begin(), ahead_.lower_bound(now));
    std::uint32_t segments = 0;
    for (const auto& [due_at, waiting] : ahead_) {
        segments += waiting;
    }
    return segments;
}

void FeedClaims::not_ahead(const Wanted& wanted) {
    if (const auto at = ahead_.find(wanted.due_at); at != ahead_.end()) {
        at->second -= std::min(at->second, wanted.segments);
    }
}

}  // namespace smsrack::trigger
