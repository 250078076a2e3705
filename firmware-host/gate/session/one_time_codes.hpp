/// Codes that log a browser in once, soon after they were made.
///
/// A login that fails for another reason gives its code back, so that the address still works.
/// Bound:   codes_max; the oldest is forgotten for a new one.
/// Time:    steady time, given with each call; a code counts for code_valid.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gate {

class OneTimeCodes {
public:
    static constexpr std::chrono::seconds code_valid{60};
    static constexpr std::size_t codes_max = 8;

    /// Takes the hash of a code; the code itself is only shown.
    void add(std::string hash, SteadyTime now);

    /// A code that a login has shown, and that no other one can show. Its end gives it back, unless the login has begun.
    class Taken;

    /// Null: it does not count. The codes outlive what this returns.
    [[nodiscard]] std::shared_ptr<Taken> take(std::string_view hash, SteadyTime now);

private:
    struct Code {
        std::string hash;
        SteadyTime made;
    };

    void give_back(Code code);

    std::deque<Code> codes_;  // the oldest first
};

class OneTimeCodes::Taken {
public:
    Taken(OneTimeCodes& codes, Code code) : codes_(codes), code_(std::move(code)) {}
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken();

    /// The login has begun.
    void use() { used_ = true; }

private:
    OneTimeCodes& codes_;
    Code code_;
    bool used_ = false;
};

}  // namespace smsrack::gate
