#include "firmware-host/gate/smpp/message_orders.hpp"

#include "firmware-host/gate/service_request.hpp"
#include "src/smpp/receipt.hpp"
#include "src/wire/url.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

using smpp::Status;

bool is_id(std::string_view text) {
    constexpr std::size_t digits_max = 19;
    return !text.empty() && text.size() <= digits_max &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string path_of(std::string_view id) {
    return fmt::format("/v1/messages/{}", id);
}

std::string list_of(const smpp::Account& account, std::string_view to, std::string_view state) {
    return fmt::format("/v1/messages?client={}&to={}&state={}&details=true&limit={}", account.name,
                       wire::percent_encoded(to), state, MessageOrders::listed_max);
}

}  // namespace

MessageOrders::MessageOrders(const ServiceLink& link, std::string token)
    : link_(link), token_(std::move(token)) {}

void MessageOrders::call(std::string_view method, std::string target, std::string body, Done done) {
    ServiceRequest request{.method = std::string(method), .target = std::move(target)};
    request.set("Content-Type", "application/json");
    request.set("Smsrack-Token", token_);
    begin(orders_.insert(orders_.end(),
                         Order{.request = request.with(body), .done = std::move(done)}));
}

void MessageOrders::begin(Place place) {
    place->again.reset();
    place->call = ServiceCall::begin(
        link_.upstream, place->request,
        [this, place](ServiceCall::Reply reply) { replied(place, std::move(reply)); });
}

void MessageOrders::replied(Place place, ServiceCall::Reply reply) {
    if (is_away(reply.status)) {
        constexpr std::chrono::milliseconds pause{500};
        place->again = link_.loop.after(pause, [this, place] { begin(place); });
        return;
    }
    const Done done = std::move(place->done);
    orders_.erase(place);
    done(std::move(reply));
}

void MessageOrders::query(const smpp::Account& account, const smpp::Query& query, Queried done) {
    if (!is_id(query.message_id)) {
        return done(Status::query_failed, {});
    }
    call("GET", path_of(query.message_id), {},
         [account, source = query.source, done = std::move(done)](const auto& reply) {
             const auto known = known_message_of(reply);
             if (!known || !known->is_of(source)) {
                 return done(Status::query_failed, {});
             }
             // Without a report that was asked for, nothing follows `sent`.
             const bool is_over = known->change.state == MessageState::sent &&
                                  (known->note.registered_delivery & 0x03U) == 0;
             done(Status::ok, smpp::query_answer(known->change, is_over, account));
         });
}

void MessageOrders::cancel(const smpp::Account& account, const smpp::Cancel& cancel, Ended done) {
    if (cancel.message_id.empty()) {
        return cancel_all(account, cancel, std::move(done));
    }
    if (!is_id(cancel.message_id)) {
        return done(Status::cancel_failed);
    }
    call("GET", path_of(cancel.message_id), {},
         [this, source = cancel.source, done = std::move(done)](const auto& reply) {
             const auto known = known_message_of(reply);
             if (!known || !known->is_of(source) || !known->waits()) {
                 return done(Status::cancel_failed);
             }
             cancel_next(std::make_shared<std::vector<std::string>>(1, known->change.id), false,
                         done);
         });
}

void MessageOrders::list_waiting(const smpp::Account& account, const std::string& to, Listed done) {
    call("GET", list_of(account, to, "queued"), {},
         [this, target = list_of(account, to, "scheduled"),
          done = std::move(done)](const auto& reply) {
             const auto queued = known_messages_of(reply);
             if (!queued) {
                 return done(std::nullopt);
             }
             call("GET", target, {}, [queued = *queued, done](const auto& answer) {
                 auto all = known_messages_of(answer);
                 if (all) {
                     all->insert(all->begin(), queued.begin(), queued.end());
                 }
                 done(std::move(all));
             });
         });
}

void MessageOrders::cancel_all(const smpp::Account& account, const smpp::Cancel& cancel,
                               Ended done) {
    const auto to = smpp::number_of(cancel.destination);
    if (!to) {
        return done(Status::cancel_failed);
    }
    list_waiting(account, *to, [this, cancel, done = std::move(done)](const auto& waiting) {
        auto ids = std::make_shared<std::vector<std::string>>();
        for (const KnownMessage& known : waiting.value_or(std::vector<KnownMessage>())) {
            if (known.waits() && known.note.source == cancel.source &&
                known.note.service_type == cancel.service_type) {
                ids->push_back(known.change.id);
            }
        }
        cancel_next(std::move(ids), false, done);
    });
}

/// `any`: one was cancelled.
void MessageOrders::cancel_next(Ids ids, bool any, Ended done) {
    if (ids->empty()) {
        return done(any ? Status::ok : Status::cancel_failed);
    }
    std::string target = path_of(ids->back());
    ids->pop_back();
    call("DELETE", std::move(target), {},
         [this, ids = std::move(ids), any, done = std::move(done)](const auto& reply) {
             cancel_next(ids, any || reply.status == 200, done);
         });
}

void MessageOrders::replace(const smpp::Account& account, const smpp::Replace& replace,
                            Ended done) {
    if (!is_id(replace.message_id)) {
        return done(Status::replace_failed);
    }
    call("GET", path_of(replace.message_id), {},
         [this, account, replace, done = std::move(done)](const auto& reply) {
             const auto known = known_message_of(reply);
             if (!known || !known->is_of(replace.source) || !known->waits()) {
                 return done(Status::replace_failed);
             }
             const smpp::Message message{.service_type = known->note.service_type,
                                         .source = known->note.source,
                                         .destination = known->note.destination,
                                         .schedule_delivery_time = replace.schedule_delivery_time,
                                         .validity_period = replace.validity_period,
                                         .registered_delivery = replace.registered_delivery,
                                         .short_message = replace.short_message};
             auto submission = smpp::submission_of(message, account, link_.clock.wall());
             if (!submission) {
                 return done(submission.error());
             }
             submission->note.reference = known->note.reference;
             put(*known, *std::move(submission), [done](Status status, const std::string& id) {
                 done(status == Status::ok && id.empty() ? Status::replace_failed : status);
             });
         });
}

/// Gives no id where it was begun meanwhile.
void MessageOrders::put(const KnownMessage& known, smpp::Submission submission, Replaced done) {
    constexpr int conflict = 409;
    call("PUT", path_of(known.change.id), smpp::replacement_of(submission),
         [id = known.change.id, done = std::move(done)](const auto& reply) {
             done(reply.status == 200 || reply.status == conflict ? Status::ok
                                                                  : Status::replace_failed,
                  reply.status == 200 ? id : std::string());
         });
}

void MessageOrders::replace_waiting(const smpp::Account& account,
                                    const smpp::Submission& submission, Replaced done) {
    list_waiting(account, submission.to,
                 [this, submission = smpp::Submission(submission),
                  done = std::move(done)](const auto& waiting) mutable {
                     if (!waiting) {
                         return done(Status::replace_failed, {});
                     }
                     const auto found =
                         std::ranges::find_if(*waiting, [&](const KnownMessage& known) {
                             return known.waits() && known.note.source == submission.note.source &&
                                    known.note.service_type == submission.note.service_type;
                         });
                     if (found == waiting->end()) {
                         return done(Status::ok, {});
                     }
                     const bool is_queued = found->change.state == MessageState::queued;
                     if (is_queued && submission.not_before) {
                         return done(Status::replace_failed, {});  // it can't be put off any more
                     }
                     // One that waits for its time must not keep it.
                     if (!is_queued && !submission.not_before) {
                         submission.not_before = link_.clock.wall();
                     }
                     put(*found, std::move(submission), std::move(done));
                 });
}

}  // namespace smsrack::gate
