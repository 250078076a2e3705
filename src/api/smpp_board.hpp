/// What the gate last told of its SMPP server, and what it is asked to do.
///
/// The gate can't be asked: it calls the service, each second or two. It tells its accounts in pieces; the pieces of a
/// report count when the last one has come.
/// Bound:   accounts_max accounts.
/// Time:    steady, of the injected clock.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {

class SmppBoard {
public:
    static constexpr std::size_t accounts_max = 1'000;
    /// After this long without a report nothing is known.
    static constexpr std::chrono::seconds valid{30};

    /// A piece: {"first":true,"last":true,"accounts":[{"name":"shop",...}]}.
    /// Errors:  bad_request: it is none.
    [[nodiscard]] Result<> take(std::string_view piece, SteadyTime now, WallTime at);

    struct Account {
        std::string name = {};
        std::string json = {};  ///< an object
    };
    struct Report {
        WallTime at = {};
        std::vector<Account> accounts = {};
    };
    /// nullopt: there is none, or the last one is too old.
    [[nodiscard]] std::optional<Report> report(SteadyTime now) const;
    [[nodiscard]] bool has(std::string_view account) const { return names_.contains(account); }

    /// The gate is asked with its next report.
    void ask_unbind(std::string account) { unbind_.insert(std::move(account)); }
    [[nodiscard]] std::set<std::string> take_orders() { return std::exchange(unbind_, {}); }

private:
    Report report_;
    std::set<std::string, std::less<>> names_;  // of report_
    std::optional<SteadyTime> reported_at_;
    std::vector<Account> next_;  // of a report that has not come as a whole
    std::set<std::string, std::less<>> next_names_;
    std::set<std::string> unbind_;
};

}  // namespace smsrack::api
