// How new pairs get their messages.
#include "src/trigger/batch_times.hpp"
#include "src/trigger/feed.hpp"

#include <algorithm>
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

void Feed::claim() {
    const SteadyTime now = parts_.clock.steady();
    while (now >= retry_at_ && claiming_ < claiming_max && !to_claim_.empty()) {
        const WallTime wall = parts_.clock.wall();
        std::vector<Wanted*> wanted;
        std::vector<ports::Claim> claims;
        while (claims.size() < claims_of_one && now >= retry_at_ && !to_claim_.empty()) {
            Wanted& next = *to_claim_.front();
            to_claim_.pop_front();
            if (auto claim = claim_of(next, wall)) {
                wanted.push_back(&next);
                claims.push_back(*std::move(claim));
            }
        }
        if (claims.empty()) {
            continue;
        }
        ++claiming_;
        using Answers = std::vector<Result<ports::Claimed>>;
        parts_.store.post(
            ports::ClaimPairs{std::move(claims)},
            answers_.back<Answers>([this, wanted = std::move(wanted)](Result<Answers> answers) {
                --claiming_;
                claimed(wanted, std::move(answers));
                pump();
            }));
    }
}

/// Nullopt if it is decided without the store, or waits at the head again. What waited here may
/// have become too old meanwhile.
std::optional<ports::Claim> Feed::claim_of(Wanted& wanted, WallTime now) {
    if (wanted.fresh_until < parts_.clock.steady()) {
        resolve(wanted, Verdict::too_old);
        return std::nullopt;
    }
    const std::string number = "+" + std::to_string(wanted.number);
    intake::SubmitRequest request{.to = number,
                                  .text = book_.text(wanted.place, number, wanted.fields),
                                  .group = settings_.group,
                                  .not_before = next_batch(now, settings_.batch),
                                  .allow_duplicate = true,  // the index knows better
                                  .batch = batch_label(settings_.name, now)};
    if (settings_.level) {
        request.priority = *settings_.level;
    }
    auto message = parts_.intake.prepare(request);
    if (!message) {
        resolve(wanted, Verdict::bad, text_of(message.error()));
        return std::nullopt;
    }
    if (message->refused) {
        resolve(wanted, Verdict::refused, text_of(*message->refused));
        return std::nullopt;
    }
    if (const auto later = parts_.intake.overloaded(*message, ahead(now))) {
        to_claim_.push_front(&wanted);
        wait(WaitingFor::overload, later->retry_after);
        return std::nullopt;
    }
    wanted.due_at = message->not_before.value_or(now);
    wanted.segments = message->segments;
    count_ahead(wanted, +1);
    return ports::Claim{.pair = pair_of(wanted),
                        .rules = rules(),
                        .message = *std::move(message),
                        .trigger = settings_.name,
                        .per_minute = settings_.per_minute};
}

void Feed::claimed(std::span<Wanted* const> wanted,
                   Result<std::vector<Result<ports::Claimed>>> answers) {
    std::vector<Wanted*> again;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        take_answer(*wanted[i],
                    answers ? std::move((*answers)[i])
                            : Result<ports::Claimed>(std::unexpected(answers.error())),
                    again);
    }
    to_claim_.insert(to_claim_.begin(), again.begin(), again.end());
    if (again.empty() && parts_.clock.steady() >= retry_at_) {
        waiting_for_ = WaitingFor::nothing;
    }
}

void Feed::take_answer(Wanted& wanted, Result<ports::Claimed> answer, std::vector<Wanted*>& again) {
    if (!answer) {
        count_ahead(wanted, -1);
        const Error& error = answer.error();
        if (is_for_later(error.code)) {
            again.push_back(&wanted);
            wait(error.code == Errc::overloaded ? WaitingFor::overload : WaitingFor::capacity,
                 error.retry_after);
        } else if (is_rule(error.code)) {
            resolve(wanted, Verdict::refused, text_of(error));
        } else if (is_of_the_event(error.code)) {
            resolve(wanted, Verdict::bad, text_of(error));
        } else {
            drop(wanted, error);
        }
        return;
    }
    if (!answer->fresh || (answer->due_at && *answer->due_at != wanted.due_at)) {
        count_ahead(wanted, -1);  // it is not of that batch
    }
    if (answer->fresh) {
        label_ = std::move(answer->batch);
    }
    if (!answer->fresh) {
        learn(answer->row);
    } else if (settings_.verify) {
        filters_->insert(key_of(answer->row.pair));
    }
    resolve(wanted, answer->fresh ? Verdict::fresh : Verdict::seen);
}

void Feed::wait(WaitingFor what, std::optional<std::chrono::milliseconds> time) {
    waiting_for_ = what;
    retry_at_ = std::max(retry_at_, parts_.clock.steady() + std::clamp(time.value_or(retry_usual),
                                                                       retry_least, retry_most));
    if (parts_.alarm) {
        parts_.alarm(retry_at_);
    }
}

/// When they are due, the store counts them as work.
std::uint32_t Feed::ahead(WallTime now) {
    ahead_.erase(ahead_.begin(), ahead_.lower_bound(now));
    std::uint32_t segments = 0;
    for (const auto& [due_at, waiting] : ahead_) {
        segments += waiting;
    }
    return segments;
}

void Feed::count_ahead(const Wanted& wanted, int sign) {
    if (sign > 0) {
        ahead_[wanted.due_at] += wanted.segments;
    } else if (const auto at = ahead_.find(wanted.due_at); at != ahead_.end()) {
        at->second -= std::min(at->second, wanted.segments);
    }
}

TriggerView Feed::view() const {
    TriggerView view{.name = settings_.name,
                     .verify = settings_.verify,
                     .max_age = settings_.max_age,
                     .share = settings_.share,
                     .per_minute = settings_.per_minute,
                     .batch = settings_.batch,
                     .capacity = settings_.capacity,
                     .fp_rate = settings_.fp_rate,
                     .counts = counts_,
                     .cached = cached_,
                     .looked_up = looked_up_,
                     .false_hits = false_hits_,
                     .waiting_for = waiting_for_,
                     .batch_label = batch_label(settings_.name, parts_.clock.wall())};
    for (std::size_t place = 0; place < by_tag_.size(); ++place) {
        view.tags.push_back({.share = check_.shares().share(place), .counts = by_tag_[place]});
        if (place < check_.shares().rest()) {
            view.tags.back().tag = check_.shares().by_tag()[place].tag;
        }
    }
    view.counts.samples.assign(last_bad_.begin(), last_bad_.end());
    if (label_.starts_with(view.batch_label)) {
        view.batch_label = label_;  // the day's first one was taken back
    }
    for (const auto& [key, wanted] : in_flight_) {
        view.waiting += wanted.askers.size();
    }
    if (waiting_for_ == WaitingFor::nothing && claiming_ + finding_ > 0) {
        view.waiting_for = WaitingFor::store;
    }
    const SteadyTime now = parts_.clock.steady();
    if (retry_at_ > now) {
        view.retry_after = std::chrono::ceil<std::chrono::milliseconds>(retry_at_ - now);
    }
    for (const auto& [due_at, segments] : ahead_) {
        view.ahead += due_at > parts_.clock.wall() ? segments : 0;
    }
    const auto figures = filters_->topics();
    for (const TopicBook::PairTopic& topic : book_.pair_topics()) {
        TopicView& one = view.topics.emplace_back(topic.view);
        const auto id = static_cast<std::uint32_t>(one.id.value);
        // In order.
        const auto of = std::ranges::lower_bound(figures, id, {}, &dedup::TopicFigures::topic);
        if (of != figures.end() && of->topic == id) {
            one.keys = of->keys;
            one.bits = of->bits;
            one.fill = of->fill;
            one.fp_rate = of->estimated_fp_rate;
            one.generations = static_cast<std::uint32_t>(of->generations);
        }
    }
    return view;
}

TracedPair Feed::traced(std::uint32_t pair_topic, std::int64_t number,
                        std::optional<ports::PairRow> row) const {
    const TopicBook::PairTopic& topic = book_.pair_topic(pair_topic);
    const dedup::PairKey key = key_of({.topic = topic.view.id, .number = number});
    TracedPair pair{.topic = topic.view.name,
                    .in_filter = filters_->find(key) != dedup::Held::no,
                    .in_cache = cache_->contains(key),
                    .row = row};
    const auto say = [&pair](Verdict verdict, std::string_view why) {
        pair.verdict = verdict;
        pair.why = why;
    };
    const bool free = !row || rules().is_free(*row);
    const bool known = settings_.verify ? pair.in_cache : pair.in_filter;
    if (!check_.selects(number)) {
        say(Verdict::outside,
            check_.form().tag
                ? "the number is outside of the trigger's share for events without a tag"
                : "the number is outside of the trigger's share");
    } else if (row && !free) {
        constexpr std::array<std::string_view, 4> words{
            "its message is on its way", "its message was sent",
            "its message failed, and the pair is kept (on_failed, or recent_s is not over)",
            "its message may have been sent; the outcome is unknown"};
        say(Verdict::seen, words.at(static_cast<std::size_t>(row->state)));
    } else if (known) {
        say(Verdict::seen, settings_.verify
                               ? "it is past its days, and forgotten by the next rebuild"
                               : "the filter has it; the index was not asked");
    } else if (!row) {
        say(Verdict::fresh, pair.in_filter ? "the filter has it wrongly; the index has no such pair"
                                           : "no such pair");
    } else {
        say(Verdict::fresh, row->state == ports::PairState::failed
                                ? "its message failed, and it is free again"
                                : "it is past its days");
    }
    return pair;
}

}  // namespace smsrack::trigger
