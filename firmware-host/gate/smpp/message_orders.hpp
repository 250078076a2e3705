/// What an ESME asks about messages that it submitted before: query_sm, cancel_sm, replace_sm, and a submit_sm that
/// replaces.
///
/// A message is the account's own, and of the source that submitted it: its note says which.
/// Bound:   each order has one call to the service under way; listed_max messages of each waiting state, to one number.
/// Threads: loop thread. A call that the service does not answer is made again until it does: each may be made twice.
/// Source:  SMPP 3.4 4.8, 4.9, 4.10, 5.2.18
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/smpp/known_message.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/pdu/known_message.hpp"
#include "src/smpp/status.hpp"
#include "src/smpp/submission.hpp"

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

class MessageOrders {
public:
    static constexpr std::size_t listed_max = 200;

    /// `token`: of the account, for the service. `link` outlives the object.
    MessageOrders(const ServiceLink& link, std::string token);

    /// The answer counts only with Status::ok.
    using Queried = std::function<void(smpp::Status, smpp::QueryAnswer)>;
    using Ended = std::function<void(smpp::Status)>;
    /// With Status::ok the id of the message that waited and has this content now; empty: there is none, so it is new.
    using Replaced = std::function<void(smpp::Status, std::string id)>;

    void query(const smpp::Account& account, const smpp::Query& query, Queried done);
    void cancel(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void replace(const smpp::Account& account, const smpp::Replace& replace, Ended done);
    void replace_waiting(const smpp::Account& account, const smpp::Submission& submission,
                         Replaced done);

    /// Forgets all; no callback comes.
    void give_up() { orders_.clear(); }

private:
    using Done = ServiceCall::Done;
    struct Order {
        std::string request = {};
        Done done = {};
        std::shared_ptr<ServiceCall> call = {};
        net::LoopWatchPtr again = {};  // null: the call is under way
    };
    using Place = std::list<Order>::iterator;
    using Ids = std::shared_ptr<std::vector<std::string>>;
    /// nullopt: the service does not say.
    using Listed = std::function<void(std::optional<std::vector<KnownMessage>>)>;

    void call(std::string_view method, std::string target, std::string body, Done done);
    void begin(Place place);
    void replied(Place place, ServiceCall::Reply reply);
    void list_waiting(const smpp::Account& account, const std::string& to, Listed done);
    void cancel_all(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void cancel_next(Ids ids, bool any, Ended done);
    void put(const KnownMessage& known, smpp::Submission submission, Replaced done);

    const ServiceLink& link_;
    const std::string token_;
    std::list<Order> orders_;  // under way
};

}  // namespace smsrack::gate
