/// Checks the passwords of binds on a thread of its own: a check takes some 50 ms.
///
/// A password that was right is remembered as a hash with a key of this process, so that a client that binds often
/// costs one check.
/// Bound:   one check for each connection without a bind; one whose connection has gone is left out. One remembered
///          password for each hash.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/thread_pool.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace smsrack::gate {

class PasswordCheck {
public:
    static constexpr std::size_t remembered_max = 1'000;

    using Done = std::function<void(bool)>;
    /// Whether the answer still counts.
    using Wanted = std::function<bool()>;

    /// `loop` outlives the object.
    explicit PasswordCheck(net::Loop& loop);
    /// Waits for the check that runs; no callback comes any more.
    ~PasswordCheck() = default;
    PasswordCheck(const PasswordCheck&) = delete;
    PasswordCheck& operator=(const PasswordCheck&) = delete;

    /// `hash`: empty: there is no such account, which takes as long to find out. `done` comes later, or at once.
    void check(std::string hash, std::string password, Wanted wanted, Done done);

private:
    struct Check {
        std::string hash;
        std::string password;
        Wanted wanted;
        Done done;
    };

    [[nodiscard]] std::string remembered(const std::string& hash,
                                         const std::string& password) const;
    void next();
    void finish(const Check& check, bool right);

    net::Loop& loop_;
    const std::string key_;
    std::map<std::string, std::string> right_;  // hash -> what remembered() gives
    std::deque<Check> waiting_;
    bool runs_ = false;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    ThreadPool pool_{{.name = "password", .threads_max = 1}};  // last: it ends first
};

}  // namespace smsrack::gate
