#include "firmware-host/gate/smpp/message_orders.hpp"

#include "firmware-host/gate/service_request.hpp"
#include "src/base/time_text.hpp"
#include "src/smpp/receipt.hpp"
#include "src/sms/message_states.hpp"
#include "src/wire/json.hpp"
#include "src/wire/url.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::gate {
namespace {

using smpp::Status;

/// A message as the service tells it.
struct Known {
    smpp::MessageChange change = {};
    std::string to = {};
    smpp::Note note = {};
    bool may_go = false;  ///< nothing of it was begun
};

std::string text_at(const wire::Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<Known> known_of(const wire::Json& json) {
    auto note = json.is_object() ? smpp::note_of(text_at(json, "note")) : std::nullopt;
    if (!note) {
        return std::nullopt;
    }
    const std::string state = text_at(json, "state");
    const auto* const name = std::ranges::find(message_state_names, state);
    const auto at = time_of(text_at(json, "updated_at"));
    if (name == message_state_names.end() || !at) {
        return std::nullopt;
    }
    Known known{.change = {.id = text_at(json, "id"),
                           .state = static_cast<MessageState>(name - message_state_names.begin()),
                           .code = text_at(json, "code"),
                           .at = *at},
                .to = text_at(json, "to"),
                .note = *std::move(note)};
    known.may_go =
        known.change.state == MessageState::queued || known.change.state == MessageState::scheduled;
    return known;
}

std::optional<Known> known_of(const ServiceCall::Reply& reply) {
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    return json ? known_of(*json) : std::nullopt;
}

std::vector<Known> all_of(const ServiceCall::Reply& reply) {
    std::vector<Known> all;
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    if (json && json->is_object() && json->contains("messages")) {
        for (const wire::Json& row : (*json)["messages"]) {
            if (auto known = known_of(row)) {
                all.push_back(*std::move(known));
            }
        }
    }
    return all;
}

/// An empty source is any: some ESMEs give none.
bool is_of(const Known& known, const smpp::Address& source) {
    return source.text.empty() || known.note.source == source;
}

bool is_id(std::string_view text) {
    constexpr std::size_t digits_max = 19;
    return !text.empty() && text.size() <= digits_max &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string path_of(std::string_view id) {
    return fmt::format("/v1/messages/{}", id);
}

/// The newest.
std::string sent_to(const smpp::Account& account, std::string_view to) {
    return fmt::format("/v1/messages?client={}&to={}&details=true&limit={}", account.name,
                       wire::percent_encoded(to), MessageOrders::cancelled_max);
}

}  // namespace

MessageOrders::MessageOrders(const ServiceLink& link, std::string token)
    : link_(link), token_(std::move(token)) {}

void MessageOrders::call(std::string_view method, std::string target, std::string body, Done done) {
    ServiceRequest request{.method = std::string(method), .target = std::move(target)};
    request.set("Content-Type", "application/json");
    request.set("Smsrack-Token", token_);
    const auto place = calls_.emplace(calls_.end());
    *place = ServiceCall::begin(link_.upstream, request.with(body),
                                [this, place, done = std::move(done)](ServiceCall::Reply reply) {
                                    const auto ended = *place;
                                    calls_.erase(place);
                                    done(std::move(reply));
                                });
}

void MessageOrders::query(const smpp::Account& account, const smpp::Query& query, Queried done) {
    if (!is_id(query.message_id)) {
        return done(Status::invalid_message_id, {});
    }
    call("GET", path_of(query.message_id), {},
         [account, source = query.source, done = std::move(done)](const auto& reply) {
             const auto known = known_of(reply);
             if (!known || !is_of(*known, source)) {
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
        return done(Status::invalid_message_id);
    }
    call("GET", path_of(cancel.message_id), {},
         [this, source = cancel.source, done = std::move(done)](const auto& reply) {
             const auto known = known_of(reply);
             if (!known || !is_of(*known, source) || !known->may_go) {
                 return done(Status::cancel_failed);
             }
             cancel_next(std::make_shared<std::vector<std::string>>(1, known->change.id), false,
                         done);
         });
}

void MessageOrders::cancel_all(const smpp::Account& account, const smpp::Cancel& cancel,
                               Ended done) {
    const auto to = smpp::number_of(cancel.destination);
    if (!to) {
        return done(Status::cancel_failed);
    }
    call("GET", sent_to(account, *to), {},
         [this, cancel, done = std::move(done)](const auto& reply) {
             auto ids = std::make_shared<std::vector<std::string>>();
             for (const Known& known : all_of(reply)) {
                 if (known.may_go && known.note.source == cancel.source &&
                     known.note.service_type == cancel.service_type) {
                     ids->push_back(known.change.id);
                 }
             }
             cancel_next(std::move(ids), false, done);
         });
}

/// `any`: one was cancelled.
void MessageOrders::cancel_next(std::shared_ptr<std::vector<std::string>> ids, bool any,
                                Ended done) {
    if (ids->empty()) {
        return done(any ? Status::ok : Status::cancel_failed);
    }
    std::string target = path_of(ids->back());
    ids->pop_back();
    call("DELETE", std::move(target), {},
         [this, ids = std::move(ids), any, done = std::move(done)](const auto& reply) mutable {
             cancel_next(std::move(ids), any || reply.status == 200, std::move(done));
         });
}

void MessageOrders::replace(const smpp::Account& account, const smpp::Replace& replace,
                            Ended done) {
    if (!is_id(replace.message_id)) {
        return done(Status::invalid_message_id);
    }
    call("GET", path_of(replace.message_id), {},
         [this, account, replace, done = std::move(done)](const auto& reply) {
             const auto known = known_of(reply);
             if (!known || !is_of(*known, replace.source) || !known->may_go) {
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
             call("PUT", path_of(known->change.id), smpp::replacement_of(*submission),
                  [done](const auto& answer) {
                      done(answer.status == 200 ? Status::ok : Status::replace_failed);
                  });
         });
}

void MessageOrders::replace_waiting(const smpp::Account& account,
                                    const smpp::Submission& submission,
                                    std::function<void(std::string id)> done) {
    call("GET", sent_to(account, submission.to), {},
         [this, note = submission.note, body = smpp::replacement_of(submission),
          done = std::move(done)](const auto& reply) {
             const auto all = all_of(reply);
             const auto found = std::ranges::find_if(all, [&](const Known& known) {
                 return known.may_go && known.note.source == note.source &&
                        known.note.service_type == note.service_type;
             });
             if (found == all.end()) {
                 return done({});
             }
             call("PUT", path_of(found->change.id), body,
                  [id = found->change.id, done](const auto& answer) {
                      // It was begun meanwhile: then this one is new.
                      done(answer.status == 200 ? id : std::string());
                  });
         });
}

}  // namespace smsrack::gate
