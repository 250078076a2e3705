/// What an ESME asks about messages that it submitted before: query_sm, cancel_sm, replace_sm, and a submit_sm that
/// replaces.
///
/// A message is the account's own, and of the source that submitted it: its note says which.
/// Bound:   each order has one call to the service under way; cancelled_max messages for a cancel_sm without an id.
/// Threads: loop thread. An order that the service does not answer fails.
/// Source:  SMPP 3.4 4.8, 4.9, 4.10, 5.2.18
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/pdu/known_message.hpp"
#include "src/smpp/status.hpp"
#include "src/smpp/submission.hpp"

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::gate {

class MessageOrders {
public:
    static constexpr std::size_t cancelled_max = 200;

    /// `token`: of the account, for the service. `link` outlives the object; the account is asked for each time.
    MessageOrders(const ServiceLink& link, std::string token);

    /// The answer counts only with Status::ok.
    using Queried = std::function<void(smpp::Status, smpp::QueryAnswer)>;
    using Ended = std::function<void(smpp::Status)>;

    void query(const smpp::Account& account, const smpp::Query& query, Queried done);
    void cancel(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void replace(const smpp::Account& account, const smpp::Replace& replace, Ended done);
    /// Gives the id of the message that waited and has this content now; empty: there is none, so it is new.
    void replace_waiting(const smpp::Account& account, const smpp::Submission& submission,
                         std::function<void(std::string id)> done);

private:
    using Done = ServiceCall::Done;

    void call(std::string_view method, std::string target, std::string body, Done done);
    void cancel_all(const smpp::Account& account, const smpp::Cancel& cancel, Ended done);
    void cancel_next(std::shared_ptr<std::vector<std::string>> ids, bool any, Ended done);

    const ServiceLink& link_;
    const std::string token_;
    std::list<std::shared_ptr<ServiceCall>> calls_;  // under way
};

}  // namespace smsrack::gate
