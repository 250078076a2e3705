/// A temporary folder on a real disk, removed with all its contents at the end.
///
/// Errors:  not_allowed: no such folder can be made; storage: it would be in memory, where nothing
///          is ever synced, so that a measurement would say nothing about a disk.
#pragma once

#include "src/base/result.hpp"

#include <filesystem>
#include <string>

namespace smsrack::rig {

class Scratch {
public:
    /// Below `parent`.
    [[nodiscard]] static Result<Scratch> make(const std::filesystem::path& parent);
    Scratch(Scratch&& other) noexcept;
    Scratch& operator=(Scratch&&) = delete;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// "ext4", for the record of what was measured.
    [[nodiscard]] const std::string& file_system() const { return file_system_; }
    void keep() { keep_ = true; }

private:
    Scratch(std::filesystem::path path, std::string file_system);

    std::filesystem::path path_;
    std::string file_system_;
    bool keep_ = false;
};

}  // namespace smsrack::rig
