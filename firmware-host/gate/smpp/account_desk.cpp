#include "firmware-host/gate/smpp/account_desk.hpp"

#include "firmware-host/gate/smpp/smpp_connection.hpp"
#include "src/access/smpp_caller.hpp"
#include "src/smpp/refusal.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::gate {
namespace {

using smpp::Command;
using smpp::Status;

std::string token_of(const smpp::Account& account) {
    return access::text_of(access::SmppCaller{
        .name = account.name, .hears_all = account.incoming == smpp::Incoming::all});
}

std::string_view inbox_of(const smpp::Account& account) {
    constexpr std::array<std::string_view, 3> words{"none", "replies", "all"};
    return words.at(static_cast<std::size_t>(account.incoming));
}

}  // namespace

/// A submit_multi that waits for the answers to its lines.
struct AccountDesk::Multi {
    OpenSubmits::Number number = 0;
    std::size_t left = 0;
    std::string first_id = {};
    Status first_refusal = Status::ok;
    std::vector<smpp::RefusedDestination> refused = {};
};

/// A submit that replaces what waits, until its turn.
struct AccountDesk::Replacing {
    MessageOrders::Content content = {};
    Submitted done = {};
    OrderRoom::PlacePtr place = {};
    /// Lines of the account that must be answered first: it may replace their messages.
    std::uint64_t behind = 0;
};

AccountDesk::AccountDesk(const Parts& parts, smpp::Account account)
    : parts_(parts),
      account_(std::move(account)),
      rate_(account_.rate),
      front_of_refs_(fmt::format("{:016x}{:016x}", parts.random.next(), parts.random.next())),
      submits_(
          std::make_shared<SubmitLink>(parts.link, account_.name, token_of(account_), parts.held)),
      order_room_(parts.held),
      orders_(parts.link, token_of(account_)),
      deliveries_({parts.link, parts.log, account_, open_, parts.delivery_room,
                   [this] { change(); }, [this] { return free_session(); }}) {}

AccountDesk::~AccountDesk() = default;

void AccountDesk::set(smpp::Account account) {
    const bool other_feed = account.incoming != account_.incoming;
    if (account.rate != account_.rate) {
        rate_ = smpp::Rate(account.rate);
    }
    account_ = std::move(account);
    for (const Connection& session : sessions()) {
        session->set_window(account_.window);
    }
    if (other_feed) {
        deliveries_.listen_otherwise(token_of(account_), inbox_of(account_));
    }
}

bool AccountDesk::join(const Connection& connection) {
    std::erase_if(sessions_, [](const auto& session) { return session.expired(); });
    if (sessions_.size() >= account_.sessions) {
        return false;
    }
    sessions_.push_back(connection);
    change();
    return true;
}

void AccountDesk::leave(const SmppConnection& connection) {
    std::erase_if(sessions_, [&](const auto& session) {
        const auto held = session.lock();
        return held == nullptr || held.get() == &connection;
    });
}

std::vector<AccountDesk::Connection> AccountDesk::sessions() const {
    std::vector<Connection> all;
    for (const auto& session : sessions_) {
        if (auto held = session.lock()) {
            all.push_back(std::move(held));
        }
    }
    return all;
}

void AccountDesk::give_up() {
    submits_->give_up();
    orders_.give_up();
    replacing_.clear();
    deliveries_.give_up();
}

bool AccountDesk::is_idle() const {
    return sessions_.empty() && submits_->waiting() == 0 && deliveries_.is_acknowledged();
}

/// Ids that are no commands count as one: a client could make up millions.
void AccountDesk::count(Command request, Status status) {
    const std::string_view name = smpp::command_name(request);
    ++counts_.told[{name.empty() ? "other" : name, smpp::status_name(status)}];
    counts_.throttled += status == Status::throttled ? 1 : 0;
}

std::string AccountDesk::fresh_ref() {
    return fmt::format("{}-{}", front_of_refs_, ++refs_);
}

bool AccountDesk::may_submit(bool replaces) {
    return submits_->has_room() && (!replaces || order_room_.has_room()) &&
           rate_.take(parts_.link.clock.steady());
}

bool AccountDesk::may_order() {
    return order_room_.has_room() && rate_.take(parts_.link.clock.steady());
}

void AccountDesk::asked(const Connection& connection, smpp::Pdu request) {
    const smpp::Header header = request.header;
    if (parts_.presence.is_long_away(parts_.link.clock.steady())) {
        return connection->answer(header, Status::throttled);
    }
    switch (header.command) {
        case Command::submit_sm:
            return submit(connection, header, std::get<smpp::Message>(request.body));
        case Command::data_sm: {
            smpp::Message message = smpp::as_message(std::get<smpp::Data>(request.body));
            return submit(connection, header, message);
        }
        case Command::submit_multi:
            return submit_multi(connection, header, std::get<smpp::SubmitMulti>(request.body));
        case Command::query_sm:
        case Command::cancel_sm:
        case Command::replace_sm:
            return order(connection, request);
        default:
            return connection->answer(header, Status::invalid_command_id);
    }
}

void AccountDesk::order(const Connection& connection, const smpp::Pdu& request) {
    const smpp::Header header = request.header;
    if (!may_order()) {
        return connection->answer(header, Status::throttled);
    }
    const auto* const cancel = std::get_if<smpp::Cancel>(&request.body);
    const bool reads_list = cancel != nullptr && cancel->message_id.empty();
    const auto ended = [connection, header,
                        place = order_room_.take(reads_list ? OrderRoom::list_bytes : 0)](
                           Status status) { connection->answer(header, status); };
    if (cancel != nullptr) {
        return orders_.cancel(account_, *cancel, ended);
    }
    if (const auto* const replace = std::get_if<smpp::Replace>(&request.body)) {
        return orders_.replace(account_, *replace, ended);
    }
    orders_.query(account_, std::get<smpp::Query>(request.body),
                  [connection, header, ended](Status status, smpp::QueryAnswer answer) {
                      if (status == Status::ok) {
                          connection->answer(header, status, std::move(answer));
                      } else {
                          ended(status);
                      }
                  });
}

void AccountDesk::submit(const Connection& connection, const smpp::Header& header,
                         const smpp::Message& message) {
    auto submission = smpp::submission_of(message, account_, parts_.link.clock.wall());
    if (!submission) {
        return connection->answer(header, submission.error());
    }
    const bool replaces = message.replace_if_present_flag == 1;
    if (!may_submit(replaces)) {
        return connection->answer(header, Status::throttled);
    }
    if (header.command == Command::data_sm) {
        submission->level = account_.level;
    }
    hand_in(
        *submission, replaces,
        [this, connection, header, number = open_.open()](std::expected<std::string, Status> id) {
            if (id) {
                connection->answer(header, Status::ok,
                                   smpp::MessageAnswer{.message_id = *std::move(id)});
            } else {
                connection->answer(header, id.error());
            }
            open_.answered(number);
        });
}

void AccountDesk::hand_in(const smpp::Submission& submission, bool replaces, Submitted done) {
    counts_.submits.add(parts_.link.clock.steady(), 1);
    Submitted timed = [weak = weak_from_this(), since = parts_.link.clock.steady(),
                       done = std::move(done)](std::expected<std::string, Status> id) {
        if (const auto self = weak.lock()) {
            ++self->counts_.answers;
            self->counts_.answer_time += self->parts_.link.clock.steady() - since;
        }
        done(std::move(id));
    };
    if (!replaces) {
        return hand_in_new(submission, std::move(timed));
    }
    // Its content is there again in the request to the service.
    replacing_.push_back({.content = std::make_shared<const smpp::Submission>(submission),
                          .done = std::move(timed),
                          .place = order_room_.take(2 * submission.content.octets.size()),
                          .behind = submits_->sent()});
    change();
}

void AccountDesk::replace_next() {
    if (is_replacing_ || replacing_.empty() || replacing_.front().behind > submits_->answered()) {
        return;
    }
    is_replacing_ = true;
    const Replacing next = std::move(replacing_.front());
    replacing_.pop_front();
    orders_.replace_waiting(account_, next.content, [this, next](Status status, std::string id) {
        if (status == Status::ok && id.empty()) {
            hand_in_new(*next.content, [this, done = next.done](auto new_id) {
                end_replacing(done, std::move(new_id));
            });
        } else if (status == Status::ok) {
            end_replacing(next.done, std::move(id));
        } else {
            end_replacing(next.done, std::unexpected(status));
        }
    });
}

void AccountDesk::end_replacing(const Submitted& done, std::expected<std::string, Status> id) {
    is_replacing_ = false;
    change();
    done(std::move(id));
}

void AccountDesk::hand_in_new(const smpp::Submission& submission, Submitted done) {
    change();
    submits_->send(smpp::line_of(submission, fresh_ref()),
                   [this, done = std::move(done)](Result<std::string> id) {
                       change();
                       done(id ? std::expected<std::string, Status>(*std::move(id))
                               : std::unexpected(refusal(id.error())));
                   });
}

/// What is no fault of the message is logged, and which rule refused it: an ESME shows a number at most.
Status AccountDesk::refusal(const Error& error) {
    const Status status = smpp::status_of_refusal(error.code);
    if (status == Status::system_error) {
        parts_.log.error("smpp_submit_failed", {{"account", account_.name},
                                                {"code", errc_name(error.code)},
                                                {"detail", error.context}});
    } else if (error.code == Errc::forbidden) {
        // Behind the rule's name it may say a number.
        parts_.log.warn(
            "smpp_submit_refused",
            {{"account", account_.name},
             {"code", errc_name(error.code)},
             {"detail", std::string_view(error.context).substr(0, error.context.find(':'))}});
    }
    return status;
}

void AccountDesk::submit_multi(const Connection& connection, const smpp::Header& header,
                               const smpp::SubmitMulti& request) {
    if (request.destinations.empty()) {
        return connection->answer(header, Status::invalid_number_of_destinations);
    }
    if (std::ranges::any_of(request.destinations, &smpp::MultiDestination::is_list)) {
        return connection->answer(header, Status::invalid_distribution_list);
    }
    const auto multi = std::make_shared<Multi>();
    multi->left = request.destinations.size();
    const auto end_one = [this, connection, header, multi](const smpp::Address& address,
                                                           std::expected<std::string, Status> id) {
        if (!id) {
            multi->refused.push_back({.address = address, .status = id.error()});
            multi->first_refusal =
                multi->first_refusal == Status::ok ? id.error() : multi->first_refusal;
        } else if (multi->first_id.empty()) {
            multi->first_id = *std::move(id);
        }
        if (--multi->left > 0) {
            return;
        }
        if (multi->first_id.empty()) {
            connection->answer(header, multi->first_refusal);
        } else {
            connection->answer(header, Status::ok,
                               smpp::SubmitMultiAnswer{.message_id = multi->first_id,
                                                       .refused = std::move(multi->refused)});
        }
        open_.answered(multi->number);
    };
    // What is the same for all is read once, by a number that can be.
    const smpp::MultiDestination anyone{.address = {.ton = 1, .npi = 1, .text = "1"}};
    auto submission =
        smpp::submission_of(smpp::as_message(request, anyone), account_, parts_.link.clock.wall());
    if (!submission) {
        return connection->answer(header, submission.error());
    }
    const bool replaces = request.replace_if_present_flag == 1;
    multi->number = open_.open();
    for (const smpp::MultiDestination& destination : request.destinations) {
        auto to = smpp::number_of(destination.address);
        if (!to || !may_submit(replaces)) {
            end_one(destination.address, std::unexpected(to ? Status::throttled : to.error()));
            continue;
        }
        submission->to = *std::move(to);
        submission->note.destination = destination.address;
        hand_in(*submission, replaces,
                [end_one, address = destination.address](std::expected<std::string, Status> id) {
                    end_one(address, std::move(id));
                });
    }
}

void AccountDesk::flush() {
    if (!sessions_.empty()) {
        deliveries_.listen(token_of(account_), inbox_of(account_));
    }
    replace_next();
    submits_->flush();
    deliveries_.flush();
}

AccountDesk::Connection AccountDesk::free_session() {
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
        const auto session = sessions_[next_session_++ % sessions_.size()].lock();
        if (session != nullptr && session->takes_deliveries(account_.window)) {
            return session;
        }
    }
    return nullptr;
}

void AccountDesk::rest(SteadyTime now) {
    submits_->rest(now);
    deliveries_.pause_feed();  // others may have made room
    // Events are read again when the account is back.
    if (sessions_.empty() && submits_->waiting() == 0) {
        deliveries_.rest();
    }
}

}  // namespace smsrack::gate
