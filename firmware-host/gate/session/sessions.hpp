/// Logins of browsers: who has one, and until when it is unused.
///
/// A session is known by a secret that the browser keeps as a cookie. Only its hash is kept here.
/// Bound:   sessions_max in all, of_token_max of one token: then the one that was unused longest ends.
/// Time:    steady time, given with each call.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class Sessions {
public:
    static constexpr std::size_t sessions_max = 1'024;
    static constexpr std::size_t of_token_max = 16;  ///< browsers and devices of one person

    struct Session {
        std::string token = {};  ///< the hash of the token that was shown
        SteadyTime used = {};
    };
    using ByHash = std::map<std::string, Session, std::less<>>;

    /// A session that is unused for `idle_max` is over.
    explicit Sessions(std::chrono::seconds idle_max) : idle_max_(idle_max) {}

    void begin(std::string hash, std::string token, SteadyTime now);

    /// Counts as a use. Null: there is none, or it is over. Valid until the next call.
    [[nodiscard]] const Session* use(std::string_view hash, SteadyTime now);

    [[nodiscard]] bool is_open(std::string_view hash, SteadyTime now) const;

    /// False: there was none.
    bool end(std::string_view hash);

    /// Ends those that are over, and those of tokens that do not count. True: it ended one.
    bool sweep(SteadyTime now, const std::function<bool(const std::string& token)>& counts);

    [[nodiscard]] const ByHash& all() const { return sessions_; }

private:
    [[nodiscard]] bool is_over(const Session& session, SteadyTime now) const {
        return now >= session.used + idle_max_;
    }
    void make_room(const std::string& token);

    const std::chrono::seconds idle_max_;
    ByHash sessions_;
};

}  // namespace smsrack::gate
