// The ReAct agent of Eino, with its defaults and an output cap, over Chat Completions.
// `driver gemini` speaks Gemini; `whole` behind either requests replies that do not stream. The model
// is the one of the document: this release is older than Gemini 3 and its signatures.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"github.com/cloudwego/eino-ext/components/model/gemini"
	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"google.golang.org/genai"
)

type file struct {
	Path    string `json:"path" jsonschema:"required"`
	Content string `json:"content" jsonschema:"required"`
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func write(_ context.Context, input *file) (string, error) {
	return "Wrote " + input.Path + ".", os.WriteFile(input.Path, []byte(input.Content), 0o644)
}

func chatModel(ctx context.Context) model.ToolCallingChatModel {
	maxTokens := 1024
	chat, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		APIKey:              os.Getenv("OPENAI_API_KEY"),
		BaseURL:             os.Getenv("OPENAI_BASE_URL"),
		Model:               "gpt-5.2",
		MaxCompletionTokens: &maxTokens,
	})
	check(err)
	return chat
}

func geminiModel(ctx context.Context) model.ToolCallingChatModel {
	maxTokens := 1024
	client, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: os.Getenv("GEMINI_API_KEY")})
	check(err)
	chat, err := gemini.NewChatModel(ctx, &gemini.Config{
		Client: client, Model: "gemini-2.5-flash", MaxTokens: &maxTokens,
	})
	check(err)
	return chat
}

func main() {
	ctx := context.Background()
	chat := chatModel
	if slices.Contains(os.Args, "gemini") {
		chat = geminiModel
	}
	writer, err := utils.InferTool("write", "Write a text file.", write)
	check(err)
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: chat(ctx),
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{writer}},
	})
	check(err)
	messages := []*schema.Message{schema.UserMessage("Write the file.")}
	if slices.Contains(os.Args, "whole") {
		message, err := agent.Generate(ctx, messages)
		check(err)
		fmt.Println(message.Content)
		return
	}
	stream, err := agent.Stream(ctx, messages)
	check(err)
	defer stream.Close()
	for {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		check(err)
		fmt.Print(piece.Content)
	}
}
