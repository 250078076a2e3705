#include "firmware-host/gate/smpp/message_orders.hpp"

#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/smpp/service_refusal.hpp"
#include "src/smpp/receipt.hpp"
#include "src/smpp/refusal.hpp"
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

/// The targets of what waits, the next one last. Those for later come first: a message may be queued meanwhile, but never
/// goes back.
std::vector<std::string> lists_of(const smpp::Account& account, std::string_view to) {
    const auto list_of = [&](std::string_view state) {
        return fmt::format("/v1/messages?client={}&to={}&state={}&details=true&limit={}",
                           account.name, wire::percent_encoded(to), state,
                           MessageOrders::listed_max);
    };
    return {list_of("queued"), list_of("scheduled")};
}

constexpr int done_well = 200;
constexpr int not_found = 404;
/// Too late, or impossible now; or an earlier call, whose answer was lost, has done it.
constexpr int conflict = 409;

Status status_of(const ServiceCall::Reply& reply) {
    return smpp::status_of_refusal(refusal_of(reply).code);
}

/// What PUT does not change, the waiting message keeps.
bool can_be_put(const KnownMessage& known, const smpp::Submission& submission) {
    const smpp::Content& content = submission.content;
    const bool is_plain = !content.place && !content.ports && content.elements.empty() &&
                          !content.message_class && !submission.pid;
    const bool is_put_off =
        known.change.state == MessageState::queued && submission.not_before.has_value();
    return is_plain && known.is_plain && known.level == submission.level && !is_put_off;
}

/// As the service keeps it: times have no less than milliseconds.
bool has_note(const KnownMessage& known, const smpp::Note& note) {
    return smpp::text_of_note(known.note) == smpp::text_of_note(note);
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

void MessageOrders::look(const std::shared_ptr<Walk>& walk) {
    if (walk->lists.empty()) {
        return walk->done(true);
    }
    std::string target = walk->lists.back();
    if (!walk->next.empty()) {
        target += fmt::format("&cursor={}", wire::percent_encoded(walk->next));
    }
    call("GET", std::move(target), {}, [this, walk](const auto& reply) {
        const auto page = known_page_of(reply);
        if (!page) {
            return walk->done(false);
        }
        for (const KnownMessage& known : page->messages) {
            if (known.waits() && !walk->visit(known)) {
                return walk->done(true);
            }
        }
        walk->next = page->next;
        if (walk->next.empty()) {
            walk->lists.pop_back();
        }
        look(walk);
    });
}

void MessageOrders::cancel_all(const smpp::Account& account, const smpp::Cancel& cancel,
                               Ended done) {
    const auto to = smpp::number_of(cancel.destination);
    if (!to) {
        return done(Status::cancel_failed);
    }
    auto ids = std::make_shared<std::vector<std::string>>();
    look(std::make_shared<Walk>(Walk{
        .lists = lists_of(account, *to),
        .visit =
            [cancel, ids](const KnownMessage& known) {
                if (known.note.source == cancel.source &&
                    known.note.service_type == cancel.service_type) {
                    ids->push_back(known.change.id);
                }
                return true;
            },
        .done = [this, ids, done = std::move(done)](bool) { cancel_next(ids, false, done); }}));
}

/// `any`: one was cancelled.
void MessageOrders::cancel_next(Ids ids, bool any, Ended done) {
    if (ids->empty()) {
        return done(any ? Status::ok : Status::cancel_failed);
    }
    const std::string id = std::move(ids->back());
    ids->pop_back();
    call("DELETE", path_of(id), {},
         [this, id, any, ids = std::move(ids), done = std::move(done)](const auto& reply) {
             if (reply.status != conflict) {
                 return cancel_next(ids, any || reply.status == done_well, done);
             }
             cancelled(id, [this, any, ids, done](Status status) {
                 cancel_next(ids, any || status == Status::ok, done);
             });
         });
}

/// Whether it is, though the service refused to cancel it now.
void MessageOrders::cancelled(const std::string& id, Ended done) {
    call("GET", path_of(id), {}, [done = std::move(done)](const auto& reply) {
        const auto known = known_message_of(reply);
        done(known && known->change.state == MessageState::cancelled ? Status::ok
                                                                     : Status::cancel_failed);
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
             put_own(*known, *submission, done);
         });
}

void MessageOrders::put(const KnownMessage& known, const smpp::Submission& submission, Done done) {
    call("PUT", path_of(known.change.id), smpp::replacement_of(submission), std::move(done));
}

/// Of replace_sm.
void MessageOrders::put_own(const KnownMessage& known, const smpp::Submission& submission,
                            Ended done) {
    put(known, submission,
        [this, id = known.change.id, note = submission.note,
         done = std::move(done)](const auto& reply) {
            if (reply.status == done_well) {
                return done(Status::ok);
            }
            if (reply.status != conflict) {
                return done(reply.status == not_found ? Status::replace_failed : status_of(reply));
            }
            call("GET", path_of(id), {}, [note, done](const auto& answer) {
                const auto now = known_message_of(answer);
                done(now && has_note(*now, note) ? Status::ok : Status::replace_failed);
            });
        });
}

void MessageOrders::replace_waiting(const smpp::Account& account, Content content, Replaced done) {
    auto found = std::make_shared<std::optional<KnownMessage>>();
    look(std::make_shared<Walk>(
        Walk{.lists = lists_of(account, content->to),
             .visit =
                 [content, found](const KnownMessage& known) {
                     if (known.note.source == content->note.source &&
                         known.note.service_type == content->note.service_type) {
                         *found = known;
                     }
                     return !found->has_value();
                 },
             .done =
                 [this, content, found, done = std::move(done)](bool is_complete) {
                     if (!is_complete) {
                         done(Status::replace_failed, {});
                     } else if (!*found) {
                         done(Status::ok, {});
                     } else if (!can_be_put(**found, *content)) {
                         cancel_for_new((*found)->change.id, done);
                     } else {
                         put_waiting(**found, content, done);
                     }
                 }}));
}

void MessageOrders::put_waiting(const KnownMessage& known, const Content& content, Replaced done) {
    smpp::Submission submission = *content;
    // One that waits for its time must not keep it.
    if (known.change.state == MessageState::scheduled && !submission.not_before) {
        submission.not_before = link_.clock.wall();
    }
    put(known, submission,
        [this, id = known.change.id, content, done = std::move(done)](const auto& reply) {
            if (reply.status == conflict) {
                return put_in_vain(id, content, done);
            }
            done(reply.status == done_well || reply.status == not_found ? Status::ok
                                                                        : status_of(reply),
                 reply.status == done_well ? id : std::string());
        });
}

/// An earlier call may have put it; or it can't be put, though it waits; or it was begun.
void MessageOrders::put_in_vain(const std::string& id, const Content& content, Replaced done) {
    call("GET", path_of(id), {}, [this, id, content, done = std::move(done)](const auto& reply) {
        const auto known = known_message_of(reply);
        if (known && has_note(*known, content->note)) {
            done(Status::ok, id);
        } else if (known && known->waits()) {
            cancel_for_new(id, done);
        } else {
            done(Status::ok, {});
        }
    });
}

void MessageOrders::cancel_for_new(const std::string& id, Replaced done) {
    call("DELETE", path_of(id), {}, [done = std::move(done)](const auto& reply) {
        const bool waits_no_more =
            reply.status == done_well || reply.status == not_found || reply.status == conflict;
        done(waits_no_more ? Status::ok : status_of(reply), {});
    });
}

}  // namespace smsrack::gate
