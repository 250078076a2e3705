/// Runs a Redis of our own, with Bloom filters as bitmaps: the method of [Welcome], for comparison.
///
/// It has its own folder and its own local socket, keeps nothing on disk, and ends with this object.
/// Threads: one.
/// Errors:  no_device: redis-server is not installed, or does not start; protocol, closed: it says something unknown, or ends.
#pragma once

#include "src/base/result.hpp"
#include "src/dedup/pair_key.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/rig/process.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::lab {

class RedisBitmaps {
public:
    /// The folder of PATH in which it is; nullopt if it is not installed (Debian: redis-server).
    [[nodiscard]] static std::optional<std::filesystem::path> installed();

    [[nodiscard]] static Result<RedisBitmaps> start(const std::filesystem::path& program,
                                                    const std::filesystem::path& folder);

    /// A whole topic, made here and handed over at once: filling it event by event would take minutes.
    [[nodiscard]] Result<> load(std::uint32_t topic, std::span<const dedup::PairKey> pairs);
    /// A Lua call tests and sets 64 events; four calls are on their way. Gives how many were not there.
    [[nodiscard]] Result<std::uint64_t> test_and_insert(std::span<const dedup::PairKey> batch);
    [[nodiscard]] pid_t pid() const { return process_->pid(); }

private:
    RedisBitmaps() = default;
    [[nodiscard]] Result<> send(std::string_view octets) const;
    /// One answer: a number, or a text; an error of Redis is `protocol`.
    [[nodiscard]] Result<std::string> answer();
    [[nodiscard]] Result<char> octet();

    std::unique_ptr<rig::Process> process_ = {};
    client::UniqueFd fd_ = {};
    std::string script_ = {};  // as Redis calls it
    std::vector<char> read_ = {};
    std::size_t at_ = 0;
};

}  // namespace smsrack::lab
