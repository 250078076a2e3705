/// What an ESME asks about messages that it submitted before: query_sm, cancel_sm, replace_sm, and a submit_sm that
/// replaces.
///
/// A message is the account's own, and of the source that submitted it: its note says which.
/// Bound:   each order has one call to the service under way, and reads pages of listed_max messages; OrderRoom bounds
///          how many orders an account has.
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
    using Content = std::shared_ptr<const smpp::Submission>;
    /// With Status::ok the id of the message that waited and has this content now; empty: there is none any more, and this
    /// one must be handed in.
    using Replaced = std::function<void(smpp::Status, std::string id)>;

    void query(const smpp::Account& account, const smpp::Query& query, Queried done);
    void cancel(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void replace(const smpp::Account& account, const smpp::Replace& replace, Ended done);
    void replace_waiting(const smpp::Account& account, Content content, Replaced done);

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
    /// Through the lists of what waits to one number.
    struct Walk {
        std::vector<std::string> lists = {};  // targets, the next one last
        std::string next = {};                // the cursor in it
        /// False: it has seen enough.
        std::function<bool(const KnownMessage&)> visit = {};
        /// False: the service did not give all.
        std::function<void(bool)> done = {};
    };

    void call(std::string_view method, std::string target, std::string body, Done done);
    void begin(Place place);
    void replied(Place place, ServiceCall::Reply reply);
    void look(const std::shared_ptr<Walk>& walk);
    void cancel_all(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void cancel_next(Ids ids, bool any, Ended done);
    void cancelled(const std::string& id, Ended done);
    void put(const KnownMessage& known, const smpp::Submission& submission, Done done);
    void put_own(const KnownMessage& known, const smpp::Submission& submission, Ended done);
    void put_waiting(const KnownMessage& known, const Content& content, Replaced done);
    void put_in_vain(const std::string& id, const Content& content, Replaced done);
    void cancel_for_new(const std::string& id, Replaced done);

    const ServiceLink& link_;
    const std::string token_;
    std::list<Order> orders_;  // under way
};

}  // namespace smsrack::gate
