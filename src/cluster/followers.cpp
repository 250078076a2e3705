#include "src/cluster/followers.hpp"

#include <string>
#include <utility>

namespace smsrack::cluster {
namespace {

// The limit is over when earlier messages are older: a client need not ask more often.
constexpr std::chrono::milliseconds limit_retry_after{10'000};

std::string words_of(const RecipientLimits& limits) {
    std::string words = "rule recipient_limit: ";
    words += limits.per_hour ? std::to_string(*limits.per_hour) + " in an hour" : "";
    words += limits.per_hour && limits.per_day ? " or " : "";
    words += limits.per_day ? std::to_string(*limits.per_day) + " in a day" : "";
    return words + " to one number";
}

}  // namespace

Error error_of(ports::PutOutcome outcome, const ports::FleetChecks& checks) {
    switch (outcome) {
        case ports::PutOutcome::ref_conflict:
            return {.code = Errc::ref_conflict, .context = "ref: known with another request"};
        case ports::PutOutcome::duplicate:
            return {.code = Errc::duplicate,
                    .context = "the same number and text came within the window"};
        case ports::PutOutcome::opted_out:
            return {.code = Errc::forbidden,
                    .context = "rule opt_out: the recipient wants no messages"};
        case ports::PutOutcome::recipient_limit:
            return {.code = Errc::forbidden, .context = words_of(checks.limits)};
        case ports::PutOutcome::client_limit:
            return {.code = Errc::queue_full,
                    .context =
                        "rule client_waiting_max: the client has as many messages that wait, "
                        "over all boxes",
                    .retry_after = limit_retry_after};
        case ports::PutOutcome::batch_cancelled:
            return {.code = Errc::conflict,
                    .context = "the batch was cancelled; a new one needs another name"};
        case ports::PutOutcome::kept:
        case ports::PutOutcome::repeated:
        case ports::PutOutcome::seen:
            break;
    }
    return {.code = Errc::conflict, .context = "the fleet has a message for this already"};
}

void Followers::add(ports::Accepted accepted, ports::FleetChecks checks,
                    ports::Done<ports::Accepted> done, SteadyTime until) {
    if (all_.size() >= followers_max) {
        return done(std::move(accepted));
    }
    const MessageId id = accepted.id;
    all_.insert_or_assign(
        id, Follower{.accepted = std::move(accepted), .checks = checks, .done = std::move(done)});
    due_.push_back({until, id});
}

std::optional<ports::FleetChecks> Followers::checks_of(MessageId message) const {
    const auto found = all_.find(message);
    return found == all_.end() ? std::nullopt : std::optional(found->second.checks);
}

std::optional<Followers::Follower> Followers::take(MessageId message) {
    auto node = all_.extract(message);
    return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
}

void Followers::answer(Follower& follower) {
    if (auto done = std::exchange(follower.done, {})) {
        done(follower.accepted);
    }
}

void Followers::kept(MessageId message, Kept kept) {
    if (auto follower = take(message)) {
        follower->accepted.kept = kept;
        answer(*follower);
    }
}

bool Followers::refused(MessageId message, const ports::PutAnswer& answered) {
    auto follower = take(message);
    if (!follower || !follower->done) {
        return false;
    }
    if (answered.outcome == ports::PutOutcome::repeated) {
        follower->accepted.id = answered.first;
        follower->accepted.repeated = true;
        follower->accepted.kept = Kept::cluster;
        answer(*follower);
    } else {
        follower->done(std::unexpected(error_of(answered.outcome, follower->checks)));
    }
    return true;
}

std::vector<ports::Accepted> Followers::take_overdue(SteadyTime now) {
    std::vector<ports::Accepted> overdue;
    for (; !due_.empty() && due_.front().until <= now; due_.pop_front()) {
        const auto found = all_.find(due_.front().message);
        if (found != all_.end() && found->second.done) {
            overdue.push_back(found->second.accepted);
            answered_.push_back({now + checks_kept, found->first});
        }
    }
    for (; !answered_.empty() && answered_.front().until <= now; answered_.pop_front()) {
        const auto found = all_.find(answered_.front().message);
        if (found != all_.end() && !found->second.done) {
            all_.erase(found);
        }
    }
    return overdue;
}

SteadyTime Followers::next_overdue() const {
    return due_.empty() ? never : due_.front().until;
}

void Followers::answer(MessageId message) {
    if (const auto found = all_.find(message); found != all_.end()) {
        answer(found->second);
    }
}

void Followers::refuse(MessageId message, Error error) {
    auto follower = take(message);
    if (follower && follower->done) {
        follower->done(std::unexpected(std::move(error)));
    }
}

void Followers::answer_all() {
    for (auto& [id, follower] : all_) {
        answer(follower);
    }
}

}  // namespace smsrack::cluster
